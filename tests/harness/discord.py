"""A person in the pretend Discord, and a discord.py client that is pointed at it."""

from __future__ import annotations

import asyncio
import inspect
import re
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yarl
from discord import http
from discord.gateway import DiscordWebSocket

from bot.sandbox.validation import components as c
from bot.sandbox.validation import messages as form

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

    import discord

    from bot.sandbox.interactions.interaction import Interaction
    from bot.sandbox.server import Server
    from bot.sandbox.state.attachments import Upload
    from bot.sandbox.world import World

Json = dict[str, Any]
TOKEN = "any"  # the stand-in lets any token in
PATIENT = 30.0
"""Seconds that a test waits for what it expects. A busy machine may take long, so they are far more than needed."""
ANSWER_LIMIT = 60.0
"""Seconds that the stand-in gives the bot for an answer, where Discord's three seconds are not the subject."""
Match = str | re.Pattern[str] | None


def point_at(server: Server) -> None:
    """Points every discord.py client of this process at a stand-in."""
    http.Route.BASE = server.api_base
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(server.gateway_url)


@asynccontextmanager
async def running(client: discord.Client, *, token: str = TOKEN) -> AsyncIterator[discord.Client]:
    """Runs a client until the block ends; it is ready when the block begins."""
    task = asyncio.create_task(client.start(token))
    try:
        await until(lambda: task.done() or client.is_ready(), "the client is ready")
        if task.done():
            await task
        yield client
    finally:
        await client.close()
        await asyncio.gather(task, return_exceptions=True)


async def until(condition: Callable[[], object], what: str = "it happens", *, seconds: float = PATIENT) -> None:
    """Waits until `condition` holds, which may be a coroutine function."""
    end = asyncio.get_running_loop().time() + seconds
    while not (await found if inspect.isawaitable(found := condition()) else found):
        if asyncio.get_running_loop().time() > end:
            raise AssertionError(f"not in {seconds} s: {what}")
        await asyncio.sleep(0.005)


@contextmanager
def answered_within(world: World, seconds: float) -> Iterator[None]:
    """Gives the bot only so many seconds for an answer while the block lasts."""
    usual, world.answer_limit = world.answer_limit, seconds
    try:
        yield
    finally:
        world.answer_limit = usual


@dataclass
class Seat:
    """One person at one place of the world. What they do returns the interaction, settled."""

    world: World
    user_id: int
    channel_id: int

    @classmethod
    def join(cls, world: World, name: str, channel_id: int, *, locale: str = "en-US", **more: int) -> Seat:
        """Adds a new person in a channel."""
        return cls(world, world.add_user(name, locale=locale, **more), channel_id)

    def at(self, channel_id: int) -> Seat:
        """Returns the same person in another channel or thread."""
        return Seat(self.world, self.user_id, channel_id)

    def direct(self) -> Seat:
        """Returns the same person in the bot's direct messages."""
        return self.at(self.world.direct_channel(self.user_id))

    @property
    def mention(self) -> str:
        return f"<@{self.user_id}>"

    # what they do

    async def slash(self, command: str, /, **options: str | int | bool | Seat | Upload) -> Interaction:
        """Sends a slash command by its whole path; a person among the options is given as their seat."""
        given = {k: str(v.user_id) if isinstance(v, Seat) else v for k, v in options.items()}
        return await self._settled(await self.world.slash(self.user_id, self.channel_id, command, given))

    async def choices(self, command: str, focused: str, /, **options: str | int | bool) -> list[Json]:
        """Returns the suggestions for the option `focused` while it is typed."""
        return await self.world.autocomplete(self.user_id, self.channel_id, command, options, focused)

    async def context(self, command: str, target: Seat) -> Interaction:
        """Uses a command of another person's context menu."""
        sent = await self.world.context(self.user_id, self.channel_id, command, target.user_id)
        return await self._settled(sent)

    async def press(self, button: Match, message: Json | None = None) -> Interaction:
        """Presses the button with that label, or whose custom_id begins so (or matches), on a message (the last)."""
        where, found = self._component(button, message, frozenset({c.BUTTON}))
        sent = await self.world.press(self.user_id, int(where["id"]), found["custom_id"])
        return await self._settled(sent)

    async def choose(self, *labels: str, menu: Match = None, message: Json | None = None) -> Interaction:
        """Chooses options by label (or value) in the menu with that placeholder or custom_id (the only one)."""
        where, found = self._component(menu, message, c.SELECTS)
        values = list(labels)
        if found["type"] == c.STRING_SELECT:
            by_label = {o["label"]: o["value"] for o in found["options"]}
            values = [by_label.get(label, label) for label in labels]
        sent = await self.world.choose(self.user_id, int(where["id"]), found["custom_id"], values)
        return await self._settled(sent)

    async def submit(self, opened: Interaction, values: Mapping[str, str | list[str]]) -> Interaction:
        """Sends off the modal that an interaction opened, its fields by label or custom_id."""
        assert opened.modal is not None, "no modal was opened"
        names = {}
        for _, item in c.walk(opened.modal["components"]):
            inner = item.get("component", item)
            if "custom_id" in inner and item.get("label"):
                names[item["label"]] = inner["custom_id"]
        fields = {names.get(k, k): v for k, v in values.items()}
        return await self._settled(await self.world.submit(self.user_id, opened.id, fields))

    def say(self, text: str) -> Json:
        return self.world.say(self.user_id, self.channel_id, text)

    async def _settled(self, sent: Interaction) -> Interaction:
        return await sent.settled()

    # what they see

    @property
    def messages(self) -> list[Json]:
        """All messages they see here, oldest first."""
        return self.world.visible_messages(self.user_id, self.channel_id)

    @property
    def last(self) -> Json:
        """The newest message they see here."""
        assert self.messages, "there are no messages here"
        return self.messages[-1]

    @property
    def pings(self) -> list[Json]:
        """The messages that notified them, anywhere, as they were sent."""
        return [m for user_id, m in self.world.events.notifications if user_id == self.user_id]

    def fresh(self, message: Json) -> Json:
        """Returns the same message as it is now."""
        found = self.world.messages.find(int(message["id"]))
        assert found is not None, "the message is gone"
        return found

    def _component(self, wanted: Match, message: Json | None, kinds: frozenset[int]) -> tuple[Json, Json]:
        """Returns the enabled component that fits, on the message or on the newest one that has such a component."""
        among = [self.fresh(message)] if message is not None else self.messages[::-1]
        for where in among:
            found = [x for x in components(where) if x["type"] in kinds and "custom_id" in x]
            # one custom_id may be the beginning of another
            fitting = [x for x in found if x["custom_id"] == wanted] or [x for x in found if _fits(x, wanted)]
            if fitting:
                return where, next((x for x in fitting if not x.get("disabled")), fitting[0])
        seen = [(x.get("label") or x.get("placeholder"), x.get("custom_id")) for m in among for x in components(m)]
        newest = among[0]["content"] if among else None
        raise AssertionError(f"no {wanted!r} to use; there are {seen}, and the newest says {newest!r}")


def _fits(component: Json, wanted: Match) -> bool:
    if wanted is None:
        return True
    if isinstance(wanted, re.Pattern):
        return bool(wanted.fullmatch(component["custom_id"]))
    name = component.get("label") or component.get("placeholder") or (component.get("emoji") or {}).get("name")
    return name == wanted or bool(component["custom_id"].startswith(wanted))


def components(message: Json) -> Iterator[Json]:
    """Returns every component of a message, in reading order."""
    return (x for _, x in c.walk(message["components"]))


def buttons(message: Json) -> dict[str, Json]:
    """Returns the buttons of a message by label, or by emoji where there is no label."""
    found = [x for x in components(message) if x["type"] == c.BUTTON]
    return {x.get("label") or x["emoji"]["name"]: x for x in found}


def menus(message: Json) -> list[Json]:
    return [x for x in components(message) if x["type"] in c.SELECTS]


def options(message: Json, menu: int = 0) -> list[str]:
    """Returns the labels that a menu of a message offers."""
    return [o["label"] for o in menus(message)[menu]["options"]]


def text(message: Json) -> str:
    """Returns the whole text of a message: content, embeds, text of components."""
    parts = [message["content"]]
    for embed in message["embeds"]:
        parts += [embed.get("title", ""), embed.get("description", "")]
        parts += [f"{f['name']}: {f['value']}" for f in embed.get("fields", ())]
        parts.append(embed.get("footer", {}).get("text", ""))
    parts += [x["content"] for x in components(message) if x["type"] == c.TEXT]
    return "\n".join(p for p in parts if p)


def alt(message: Json) -> list[str]:
    """Returns the alternative texts of a message's files."""
    return [a.get("description", "") for a in message["attachments"]]


def is_ephemeral(message: Json) -> bool:
    return bool(message["flags"] & form.EPHEMERAL)
