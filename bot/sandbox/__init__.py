"""The local stand-in of Discord: HTTP, gateway and page. It knows Discord's wire and nothing of this bot."""
