"""The local stand-in for Discord: HTTP, gateway and page. It knows Discord's protocol and nothing of this bot.

`world.World` is the simulation, `server.serve` serves it to a bot and a browser, `archive.Archive` saves it.
"""
