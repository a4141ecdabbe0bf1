"""A Discord for the dispatcher alone: its channels lose some messages and remember those that arrived."""

import random
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import discord

DIRECT = 10_000_000
"""Added to a user's id: the id of their direct messages."""
ME = 1
"""The id of the bot."""


class Mail:
    """Stands for the client of a dispatcher. `shut` are users who take no direct messages."""

    def __init__(self, seed: int, shut: frozenset[int] = frozenset(), before: float = 0.15, after: float = 0.1) -> None:
        self.user = SimpleNamespace(id=ME)
        self.random = random.Random(seed)
        self.shut = shut
        self.before, self.after = before, after
        self.arrived: dict[str, list[int]] = {}
        """The channels in which each notification arrived, by its id."""
        self.lost = 0
        self.unsure = 0
        """How many arrived, but nobody was told so."""
        self._channels: dict[int, Channel] = {}

    async def create_dm(self, user: discord.Object) -> "Channel":
        return self.get_partial_messageable(DIRECT + user.id)

    def get_channel(self, channel_id: int) -> None:
        """Returns None: no channel is known beforehand."""

    def get_partial_messageable(self, channel_id: int, guild_id: int | None = None) -> "Channel":
        del guild_id
        return self._channels.setdefault(channel_id, Channel(self, channel_id))


class Channel:
    def __init__(self, mail: Mail, channel_id: int) -> None:
        self.mail, self.id, self.guild_id = mail, channel_id, None
        self.messages: list[Any] = []

    async def send(self, content: str, *, nonce: str, view: discord.ui.View, **_: Any) -> None:
        """Takes a message. Raises what a request may fail with, whether or not the message has arrived."""
        assert content
        mail = self.mail
        if self.id - DIRECT in mail.shut:
            answer: Any = SimpleNamespace(status=403, reason="Forbidden")
            raise discord.Forbidden(answer, {"code": 50007, "message": "Cannot send messages to this user"})
        fate = mail.random.random()
        if fate < mail.before:
            mail.lost += 1
            raise TimeoutError
        parts = [SimpleNamespace(custom_id=getattr(item, "custom_id", None)) for item in view.children]
        self.messages.append(SimpleNamespace(id=len(self.messages), components=parts, author=self.mail.user))
        mail.arrived.setdefault(nonce, []).append(self.id)
        if fate < mail.before + mail.after:
            mail.unsure += 1
            raise TimeoutError

    async def history(self, *, limit: int, after: discord.Object, oldest_first: bool) -> AsyncIterator[Any]:
        del after, oldest_first  # the notifications of a channel are told apart by their buttons
        for message in self.messages[:limit]:
            yield message
