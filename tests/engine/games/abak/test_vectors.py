"""Cases made by a program that shares no code with this one (tests/vectors)."""

from harness.vectors import vectors

from engine.core.game import walk_turns
from engine.games.abak import GAME, PASS, State


def told(state: State) -> str:
    """Returns the position in the vectors' form: columns and bar."""
    return ":".join(GAME.encode(state).removeprefix("ABAKID=").split(":")[:2])


def test_every_case_has_exactly_these_results() -> None:
    cases = vectors("abak")
    assert len(cases) == 400
    wrong = []
    for case in cases:
        state = GAME.decode(case["position"])
        listed = sorted(told(after) for steps, after in GAME.turns(state) if steps != (PASS,))
        walked = sorted(told(after) for steps, after in walk_turns(GAME, state) if steps != (PASS,))
        if not listed == walked == sorted(case["results"]):
            wrong.append(case["position"])
    assert wrong == []
