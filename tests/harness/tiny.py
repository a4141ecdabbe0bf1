"""A tiny bot with one of everything, for the tests of the stand-in itself."""

from __future__ import annotations

import asyncio
import io
import struct
import zlib
from typing import TYPE_CHECKING, Self

import discord
from discord import app_commands

if TYPE_CHECKING:
    import re

ALT = "A small grey picture"


def picture(shade: int = 128, width: int = 4, height: int = 2) -> bytes:
    """Returns a PNG of one shade."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes([shade]) * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def file(name: str = "board.png", shade: int = 128) -> discord.File:
    return discord.File(io.BytesIO(picture(shade)), name, description=ALT)


class Step(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"step:(?P<n>\d+)"):
    """A button that carries its state and survives restarts."""

    def __init__(self, n: int) -> None:
        super().__init__(discord.ui.Button(label=f"Step {n}", custom_id=f"step:{n}"))
        self.n = n

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[discord.ui.View], match: re.Match[str]
    ) -> Self:
        return cls(int(match["n"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        after = file("after.png", self.n)
        await interaction.response.edit_message(
            content=f"Step {self.n}", view=view(Step(self.n + 1)), attachments=[after]
        )


class Pick(
    discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]],
    template=r"pick:(?P<who>\w+)",
):
    """A menu whose answer is for one person's eyes."""

    def __init__(self, who: str) -> None:
        options = [discord.SelectOption(label=x.title(), value=x, description=f"Pick {x}") for x in ("red", "blue")]
        super().__init__(discord.ui.Select(placeholder="Colour", custom_id=f"pick:{who}", options=options))

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[discord.ui.View], match: re.Match[str]
    ) -> Self:
        return cls(match["who"])

    async def callback(self, interaction: discord.Interaction) -> None:
        chosen = interaction.data["values"][0]  # type: ignore[index]
        await interaction.response.send_message(f"You picked {chosen}", ephemeral=True, file=file(), view=view(Step(7)))


class Note(discord.ui.Modal, title="Note"):
    """A modal with a label, as discord.py 2.6 and later write them, and with an old-fashioned row."""

    text: discord.ui.Label[discord.ui.LayoutView] = discord.ui.Label(
        text="Text", component=discord.ui.TextInput(custom_id="text", max_length=20)
    )
    place: discord.ui.TextInput[discord.ui.LayoutView] = discord.ui.TextInput(
        label="Place", custom_id="place", required=False
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.text.component, discord.ui.TextInput)
        await interaction.response.send_message(f"Noted: {self.text.component.value} at {self.place.value or 'home'}")


class AskNote(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template="note"):
    def __init__(self) -> None:
        super().__init__(discord.ui.Button(label="Note", custom_id="note"))

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: discord.ui.Item[discord.ui.View], _match: re.Match[str]
    ) -> Self:
        return cls()

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Note())


def view(*items: discord.ui.Item[discord.ui.View]) -> discord.ui.View:
    """Returns a view that is not remembered: its items answer for themselves."""
    found = discord.ui.View(timeout=None)
    for item in items:
        found.add_item(item)
    found.stop()
    return found


class Tiny(discord.Client):
    """The client; `errors` holds what its commands ran into."""

    def __init__(self, *, intents: discord.Intents | None = None, **more: object) -> None:
        super().__init__(
            intents=intents or discord.Intents(guilds=True),
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.0,
            **more,  # type: ignore[arg-type]
        )
        self.errors: list[BaseException] = []
        self.resumed = 0
        self.tree = app_commands.CommandTree(self)
        self.tree.on_error = self.on_tree_error  # type: ignore[method-assign]
        self.add_dynamic_items(Step, Pick, AskNote)
        add_commands(self.tree)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_resumed(self) -> None:
        self.resumed += 1

    async def on_tree_error(self, _interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
        self.errors.append(getattr(error, "original", error))


def add_commands(tree: app_commands.CommandTree) -> None:
    """Adds a command for each feature of Discord that can be asked."""

    @tree.command(description="Show a picture to somebody")
    @app_commands.describe(who="The person", size="How big")
    @app_commands.choices(size=[app_commands.Choice(name="Small", value=1), app_commands.Choice(name="Big", value=2)])
    async def show(interaction: discord.Interaction, who: discord.User, size: int = 1, loud: bool = False) -> None:
        allowed = discord.AllowedMentions(users=[who]) if loud else discord.AllowedMentions.none()
        await interaction.response.send_message(
            f"{who.mention}: {size}", file=file(), view=view(Step(1), Pick("x"), AskNote()), allowed_mentions=allowed
        )

    @tree.command(description="Find a fruit")
    async def fruit(interaction: discord.Interaction, name: str) -> None:
        await interaction.response.send_message(name)

    @fruit.autocomplete("name")
    async def names(_interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=n.title(), value=n) for n in ("apple", "pear") if typed in n]

    @tree.command(description="Answer later")
    async def later(interaction: discord.Interaction, hidden: bool = False) -> None:
        await interaction.response.defer(ephemeral=hidden, thinking=True)
        await interaction.edit_original_response(content="Done", attachments=[file()])
        more = await interaction.followup.send("And more", wait=True, ephemeral=hidden)
        await more.edit(content="And still more")

    @tree.command(description="Begin a thread")
    async def begin(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Beginning")
        assert isinstance(interaction.channel, discord.TextChannel)
        message = await interaction.channel.send("Board", file=file(), nonce="n1")
        thread = await message.create_thread(name="The game")
        await thread.send("Welcome")
        await message.edit(content="Moved", attachments=[file("moved.png", 1)])

    @tree.command(description="Say nothing for a while")
    async def slow(interaction: discord.Interaction, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await interaction.response.send_message("At last")

    @tree.context_menu(name="Greet")
    async def greet(interaction: discord.Interaction, who: discord.User) -> None:
        await interaction.response.send_message(f"Hello {who.display_name}", ephemeral=True)
