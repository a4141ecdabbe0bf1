"""Discord's interactions: how one is answered, and how buttons, menus and forms find their handlers."""
