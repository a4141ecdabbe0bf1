"""A bare discord.py bot that answers suggestions, buttons and a command, each with a constant answer.

``benchmarks/load.py`` and ``benchmarks/memory.py`` start it for comparison. It gets Discord's address as the bot does.
"""

import io
import os
import sys

import discord
import yarl
from discord import app_commands, http
from discord.gateway import DiscordWebSocket
from PIL import Image

http.Route.BASE = os.environ["DISCORD_API_BASE"]
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY_URL"])


def picture() -> bytes:
    """Returns as many bytes as a board has."""
    file = io.BytesIO()
    Image.frombytes("L", (150, 150), os.urandom(22_500)).save(file, "PNG")
    return file.getvalue()


PICTURE = picture()


class Bare(discord.Client):
    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None, chunk_guilds_at_startup=False)
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if interaction.type is discord.InteractionType.component:
            await interaction.response.send_message("Choose.", file=board(), view=buttons(), ephemeral=True)


def board() -> discord.File:
    return discord.File(io.BytesIO(PICTURE), filename="board.png")


def buttons() -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="Move", custom_id="b:move:"))
    view.stop()
    return view


client = Bare()


@client.tree.command(description="Plays.")
async def play(interaction: discord.Interaction, notation: str) -> None:
    await interaction.response.send_message(notation, file=board(), view=buttons())


@play.autocomplete("notation")
async def suggested(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=f"{typed}{number}", value=f"{typed}{number}") for number in range(25)]


if __name__ == "__main__":
    sys.exit(client.run(os.environ["DISCORD_TOKEN"], log_handler=None))
