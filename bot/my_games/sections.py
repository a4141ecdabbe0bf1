"""Sections that other rooms add to the list of a user's games, such as challenges that wait for an answer."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.core.services import Services
from bot.core.translations import Language

Section: TypeAlias = Callable[[Services, int, Language], Awaitable[list[str]]]
"""Returns the lines for a user; [] if there are none."""


class GameListSections:
    """The sections below the running games, in this order. ``bot/app.py`` adds them."""

    def __init__(self) -> None:
        self.sections: list[Section] = []

    async def lines(self, services: Services, user_id: int, say: Language) -> list[str]:
        return [line for section in self.sections for line in await section(services, user_id, say)]
