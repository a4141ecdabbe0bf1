"""Stands in for the processes that think: it plays the first turn that is legal, or what a test says."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bot.opponents.pool import Unavailable
from bot.opponents.questions import Answer, Question
from bot.opponents.service import OpponentService
from engine.core.errors import RuleError
from engine.registry import find

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.core.client import AbakBot


@dataclass
class FirstTurn:
    """A thinker that plays the first legal turn at once. ``asked``: the questions, in order."""

    answers: dict[str, Any] = field(default_factory=dict)
    """What else its answers say: a ``move``, ``value``, ``resign`` or ``accept_draw``."""
    is_away: bool = False
    """Whether nobody can think."""
    asked: list[Question] = field(default_factory=list)
    free: asyncio.Event = field(default_factory=asyncio.Event)
    """Answers wait for it."""

    def __post_init__(self) -> None:
        self.free.set()

    async def think(self, question: Question, check: Callable[[Answer], object]) -> Answer:
        self.asked.append(question)
        await self.free.wait()
        if self.is_away:
            raise Unavailable
        usual = {"move": first_turn(question), "value": 0.0, "resign": None, "accept_draw": True}
        answer = Answer(position=question.position, **(usual | self.answers))
        try:
            check(answer)
        except RuleError as error:
            raise Unavailable from error
        return answer


def with_thinker(bot: AbakBot) -> FirstTurn:
    """Makes the machines of this bot play the first legal turn."""
    thinker = FirstTurn()
    bot.service(OpponentService)._thinker = thinker
    return thinker


def first_turn(question: Question) -> str:
    """Returns the notation of the first legal turn."""
    game: Any = find(question.game, question.version)
    begun = state = game.decode(question.position, game.settle_options(dict(question.options)))
    steps, actor = [], game.to_act(state)
    while game.to_act(state) == actor and game.outcome(state) is None:
        steps.append(game.legal(state)[0])
        state = game.apply(state, steps[-1])
    return str(game.format(begun, steps))
