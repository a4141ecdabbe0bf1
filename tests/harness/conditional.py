"""Conditional moves in a channel: the panel, its picker, and turns to set."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

from bot.conditional.service import ConditionalMoveService
from engine.registry import GAMES
from harness.bot import choose_words, private, worded_path
from harness.discord import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.core.translations import Language
    from harness.bot import Room
    from harness.discord import Seat

Json = dict[str, Any]
PICKING: Final = ("conditional_if", "conditional_reply")
"""The verbs of the picker in a panel."""


async def open_panel(room: Room, who: Seat) -> Json:
    """Opens the panel of conditional moves by way of More."""
    await who.press("b:more:", room.board)
    await who.press("b:conditional:", private(who))
    return private(who)


async def pick(who: Seat, picker: Json, game: str, steps: Sequence[Any], state: Any, say: Language) -> None:
    """Chooses a turn in an open picker of the panel, as its labels tell."""
    rules = GAMES[game]
    for step in steps:
        words = worded_path(rules, state, step, say)
        while words:
            words = words[await choose_words(who, who.fresh(picker), words, PICKING) :]
        state = rules.apply(state, step)


async def lay(room: Room, who: Seat, panel: Json, state: Any, game: str, condition: str, reply: str) -> Any:
    """Sets one conditional move by taps, from a panel where the opponent is to play. Returns the position after it."""
    rules, say = GAMES[game], room.say
    await who.press("b:conditional_if:", panel)
    assert say("conditional.pick_condition") in text(who.fresh(panel))
    await pick(who, panel, game, rules.parse(state, condition), state, say)
    state = after(rules, state, condition)
    assert say("conditional.pick_reply") in text(who.fresh(panel))
    await pick(who, panel, game, rules.parse(state, reply), state, say)
    assert say("conditional.if", condition=condition, reply=reply) in text(who.fresh(panel))
    return after(rules, state, reply)


def after(rules: Any, state: Any, text: str) -> Any:
    for step in rules.parse(state, text):
        state = rules.apply(state, step)
    return state


def turn_at(rules: Any, state: Any) -> str:
    """Returns some whole turn that does not end the game, always the same."""
    rng = random.Random(1)
    while True:
        text = random_turn(rules, state, rng)
        if rules.to_act(after(rules, state, text)) is not None:
            return text


def random_turn(rules: Any, state: Any, rng: random.Random) -> str:
    actor, at, steps = rules.to_act(state), state, []
    while rules.to_act(at) == actor:
        steps.append(rng.choice(rules.legal(at)))
        at = rules.apply(at, steps[-1])
    return str(rules.format(state, steps))


async def stored(room: Room) -> list[Any]:
    assert room.bot is not None
    found: list[Any] = await room.bot.service(ConditionalMoveService).store.of((await room.present()).id)
    return found
