"""Whatever is typed, a keystroke costs little: counted as what the rules are asked for, in every game."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from bot.core.interactions.options import TYPED_LENGTH
from bot.moves.suggestions import MOST_WORDS, turns_with_texts
from engine.registry import GAMES

if TYPE_CHECKING:
    from harness.bot import Room

    from engine.core.game import Game

TYPED = ["", "e4 " * 2_000, "a " * 3_000, "9" * 6_000, "a1-a2 " * 1_000, "3/" * 3_000, "(2)" * 2_000]
MOST = {"parse": MOST_WORDS + 1, "apply": MOST_WORDS, "legal": 1, "turns": 1, "written_turns": 1}
"""How often the rules are asked for what costs time: each beginning of a text is read once, turns are listed once."""


def whole_turn(game: Game[Any, Any], state: Any) -> str:
    steps, at = [], state
    while game.to_act(at) == game.to_act(state):
        steps.append(next(iter(game.legal(at))))
        at = game.apply(at, steps[-1])
    return game.format(state, steps)


@pytest.mark.parametrize("key", GAMES)
async def test_a_keystroke_asks_little_of_the_rules(room: Room, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    live = await room.begin(key)
    mover, other = room.to_move(live), room.other(live)
    turn = whole_turn(live.game, live.state)
    asked: Counter[str] = Counter()
    longest = 0

    def count(name: str) -> None:
        ask = getattr(type(live.game), name)

        def counted(self: Game[Any, Any], state: Any, *given: Any) -> Any:
            nonlocal longest
            asked[name] += 1
            longest = max([longest, *(len(one) for one in given if isinstance(one, str))])
            return ask(self, state, *given)

        monkeypatch.setattr(type(live.game), name, counted)

    for name in MOST:
        count(name)
    for typed in [*TYPED, f"{turn} " * 200]:
        for who, command, given, option in (
            (mover, "abak move play", {}, "notation"),
            (other, "abak move conditional", {}, "condition"),
            (other, "abak move conditional", {"condition": turn}, "reply"),
            (other, "abak move conditional", {"condition": typed}, "reply"),
        ):
            asked.clear()
            turns_with_texts.cache_clear()
            await who.choices(command, option, **given, **{option: typed})
            assert all(asked[name] <= most for name, most in MOST.items()), (option, typed[:9], asked)
    assert longest <= TYPED_LENGTH
    assert live.game.enumerates_turns or longest  # something was read
