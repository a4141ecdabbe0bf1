"""Discord's interactions: how they are answered, and how buttons, menus and forms find their handlers."""
