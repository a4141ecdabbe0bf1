"""The local stand-in of Discord: HTTP, gateway and page. It knows Discord's protocol and nothing of this bot.

`world.World` is what is simulated, `server.serve` serves it to a bot and a browser, `archive.Archive` saves it.
"""
