"""Cases made by programs that share no code with this one (tests/vectors)."""

from harness.vectors import vectors

from engine.games.abalone import GAME, State


def told(before: State, after: State) -> str:
    """Returns the position in the vectors' form: the rows, and 1 if a marble has been ejected."""
    return f"{GAME.encode(after).split()[0]} {sum(after.ejected) - sum(before.ejected)}"


def test_every_case_has_exactly_these_results() -> None:
    cases = vectors("abalone")
    assert len(cases) == 250
    wrong = []
    for case in cases:
        state = GAME.decode(case["position"])
        listed = [told(state, after) for _, after in GAME.turns(state)]
        stepped = [told(state, GAME.apply(state, step)) for step in GAME.legal(state)]
        if sorted(listed) != sorted(case["results"]) or listed != stepped:
            wrong.append(case["position"])
    assert wrong == []
