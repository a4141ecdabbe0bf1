"""The first visit: the page's welcome card, and the language of the people."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.sandbox.world import World

Json = dict[str, Any]
ENGLISH: Final = "en-US"
SPANISH: Final = "es-ES"
FURTHER: Final = {ENGLISH: ("Diego (español)", SPANISH), SPANISH: ("Emma (English)", ENGLISH)}
"""By the language of the page: a further person with another language, named after it, and that language."""


@dataclass(frozen=True)
class Thumbnail:
    """A small picture on the welcome card. A press begins this game against the machine, or a challenge to it."""

    value: str
    """The value of the command's option."""
    name: str
    draw: Callable[[], bytes]
    """Draws the PNG. Called in a thread, once."""


@dataclass(frozen=True)
class Welcome:
    """The content of the welcome card. The caller of the sandbox gives it, as the sandbox knows no bot's commands."""

    challenge: str
    """The path of the command that begins a game, with the names of its options ``opponent`` and ``game``."""
    opponent: str
    game: str
    machine: str
    """The option of that command that plays the machine; empty if there is none."""
    level: str
    """How the card names the level that this option chooses; empty if there is none."""
    learn: str
    """The path of the command that teaches a game."""
    games: tuple[Thumbnail, ...]

    def told(self) -> Json:
        """Returns the part that the page receives."""
        games = [{"value": game.value, "name": game.name, "src": f"/welcome/{game.value}.png"} for game in self.games]
        return {
            "challenge": self.challenge,
            "opponent": self.opponent,
            "game": self.game,
            "machine": self.machine,
            "level": self.level,
            "learn": self.learn,
            "games": games,
        }


class Pictures:
    """The pictures of the welcome card, each drawn on first use."""

    def __init__(self, welcome: Welcome | None) -> None:
        self._drawings = {game.value: game.draw for game in welcome.games} if welcome else {}
        self._drawn: dict[str, asyncio.Task[bytes]] = {}

    async def get(self, value: str) -> bytes:
        """Returns the PNG of a game's picture. Raises KeyError if there is none."""
        draw = self._drawings[value]
        if value not in self._drawn:
            self._drawn[value] = asyncio.create_task(asyncio.to_thread(draw))
        return await asyncio.shield(self._drawn[value])


def arrive(world: World, language: str) -> None:
    """Prepares a new world when its first page opens: everybody speaks its language, and the bot joins the server.

    The bot's direct messages with each person are in their lists. ``language`` is that of the browser.
    """
    if world.guild_id not in world.without_bot:
        return
    spoken = SPANISH if language.lower().startswith("es") else ENGLISH
    for user in world.users.values():
        user["locale"] = spoken
    name, other = FURTHER[spoken]
    world.add_user(name, locale=other)
    speak(world)
    world.invite_bot(world.guild_id)
    for user_id in world.users:
        world.direct_channel(user_id)


def speak(world: World) -> None:
    """Sets the server's language to that of most of its people. If two languages are even, it keeps its own."""
    ranked = Counter(user["locale"] for user in world.users.values()).most_common(2)
    if len(ranked) == 1 or ranked[0][1] > ranked[1][1]:
        world.set_language(world.guild_id, ranked[0][0])
