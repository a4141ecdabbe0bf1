"""Steps and turns as texts."""

import contextlib
import random

import pytest

from engine.core.errors import BadNotation, IllegalMove
from engine.games.apb import GAME, PASS, State, board


def texts(state: State, text: str) -> list[str]:
    return [str(step) for step in GAME.parse(state, text)]


def at(rows: dict[int, str], side: str = "w", done: str = "-") -> State:
    return GAME.decode("/".join(rows.get(row, "9") for row in range(12, 0, -1)) + f" {side} {done}")


@pytest.mark.parametrize(
    ("row", "step", "canonical"),
    [
        ("P2s5", "a6-b6", "a6-b6>c6xs"),
        ("P2S5", "a6-b6", "a6-b6>c6xS"),
        ("P2s2s2", "a6-b6", "a6-b6>c6"),
        ("P1s1s4", "a6-b6", "a6-b6"),
        ("P1s6", "a6-b6", "a6-b6xs"),
        ("P8", "a6-b6", "a6-b6xP#"),
        ("7P1", "h6-i6", "h6-i6xP#"),
        ("P2p5", "a6-b6", "a6-b6>c6xp#"),
        ("P1p6", "a6-b6", "a6-b6xp#"),
        ("6S1s", "g6-h6", "g6-h6xs"),
        ("6S1S", "g6-h6", "g6-h6xS"),
        ("S8", "a6-b6", "a6-b6"),
    ],
)
def test_writing_marks_the_landing_what_leaves_and_the_end(row: str, step: str, canonical: str) -> None:
    rows = {6: row}
    if "P" not in row:
        rows[1] = "P8"
    if "p" not in row:
        rows[12] = "p8"
    state = at(rows)
    found = GAME.parse(state, step)
    assert GAME.format(state, found) == canonical
    for text in (canonical, canonical.upper(), canonical.lower(), canonical.replace("x", " x").replace("#", " #")):
        assert GAME.parse(state, text) == found


def test_black_writes_alike() -> None:
    state = at({6: "p8", 1: "P8"}, "b")
    assert GAME.format(state, GAME.parse(state, "a6b6")) == "a6-b6xp#"


@pytest.mark.parametrize(
    "text",
    [
        "e4-d5 e3-e4>e8",
        "e4-d5 e3-e4",
        "  E4-D5   E3-E4>E8 ",
        "e4d5 e3e4",
        "e4/d5 e3/e4",
        "e4xd5, e3xe4",
        "e4 d5 e3 e4",
        "e4 - d5; e3 - e4 > e8",
        "e4->d5\ne3->e4",
        "e4:d5 e3:e4",
        "e4–d5 e3—e4",  # noqa: RUF001 - dashes as phones type them
        "e4-d5e3-e4",
        "e4-d5 e3-e8",
        "e4-d5 e3-e6>e8",
    ],
)
def test_reading_is_lenient(text: str) -> None:
    state = GAME.start({})
    steps = GAME.parse(state, text)
    assert GAME.format(state, steps) == "e4-d5 e3-e4>e8"


def test_a_partial_turn_and_its_rest() -> None:
    state = GAME.start({})
    for step in GAME.parse(state, "e4-d5 d2-c1"):
        state = GAME.apply(state, step)
    assert texts(state, "d4-c4 e3-e8") == ["d4-c4", "e3-e4"]


def test_a_pass() -> None:
    state = at({2: "ss7", 1: "Ps7", 12: "p8"})
    assert GAME.parse(state, " PASS ") == (PASS,)
    assert GAME.format(state, (PASS,)) == "pass"
    pushed = at({2: "ss6S", 1: "Ps7", 12: "p8"})
    assert texts(pushed, "i2-h2 pass") == ["i2-h2", "pass"]
    assert texts(at({6: "6S1s", 2: "ss7", 1: "Ps7", 12: "p8"}), "g6-h6x pass") == ["g6-h6", "pass"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        ",",
        "e4",
        "e4-",
        "hello",
        "e4-d5 hello",
        "e4-d5 e",
        "e44-d5",
        "e123-d5",
        "e4--d5",
        "passe",
        "e-4",
        "e4-d5*",
    ],
)
def test_unreadable(text: str) -> None:
    with pytest.raises((BadNotation, IllegalMove)) as caught:
        GAME.parse(GAME.start({}), text)
    if text == "e44-d5":
        assert caught.value.key == "apb.off_board"
    else:
        assert type(caught.value) is BadNotation
        assert caught.value.key == "apb.unreadable"


@pytest.mark.parametrize(
    ("text", "key", "params"),
    [
        ("e4-d5 e3-e4 d9-d8", "apb.turn_ended", {"step": "d9-d8"}),
        ("e4-d5 d5-d6", "apb.already_stepped", {"cell": "d5"}),
        ("e4-d5 e3-f5", "apb.not_in_line", {"cell": "e3", "to": "f5"}),
        ("e4-d5 e3-e3", "apb.not_in_line", {"cell": "e3", "to": "e3"}),
        ("e3-e8", "apb.occupied", {"cell": "e4"}),
        ("e4-e6", "apb.not_neighbour", {"cell": "e4", "to": "e6"}),
        ("e10-e8", "apb.not_yours", {"cell": "e10"}),
        ("a1-a2", "apb.no_piece", {"cell": "a1"}),
        ("d2-d0", "apb.off_board", {"step": "d2-d0"}),
        ("i6-j6", "apb.off_board", {"step": "i6-j6"}),
        ("pass", "apb.must_make_room", {"play": "d2-c1"}),
        ("e4-d5 pass", "apb.principal_must_step", {"play": "e3-e4"}),
        ("e4-d5 e3-e4>e7", "apb.otherwise", {"text": "e3-e4>e7", "step": "e3-e4>e8"}),
        ("e4-e5 e3-e12", "apb.stops_elsewhere", {"cell": "e3", "to": "e12", "stop": "e4"}),
        ("e4-d5 e3-e5", "apb.stops_elsewhere", {"cell": "e3", "to": "e5", "stop": "e8"}),
        ("e4-d5 e3-e12", "apb.stops_elsewhere", {"cell": "e3", "to": "e12", "stop": "e8"}),
        ("f3-g3 e3-i3", "apb.stops_elsewhere", {"cell": "e3", "to": "i3", "stop": "f3"}),
        ("d4-c4 e3-a7", "apb.runs_off", {"cell": "e3", "to": "a7", "step": "e3-d4xP#"}),
        ("d4-c4 e3-c5", "apb.runs_off", {"cell": "e3", "to": "c5", "step": "e3-d4xP#"}),
        ("e4-d5xs", "apb.otherwise", {"text": "e4-d5xs", "step": "e4-d5"}),
        ("e4-d5x", "apb.otherwise", {"text": "e4-d5x", "step": "e4-d5"}),
        ("e4-d5#", "apb.otherwise", {"text": "e4-d5#", "step": "e4-d5"}),
    ],
)
def test_an_illegal_text_names_the_rule(text: str, key: str, params: dict[str, str]) -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(GAME.start({}), text)
    assert (caught.value.key, caught.value.params) == (key, params)


@pytest.mark.parametrize(("room", "accepted"), [("e4-e5", {"e4"}), ("e4-d5", {"e4", "e8"}), ("d4-c4", {"d4"})])
def test_a_principal_is_sent_to_its_next_cell_or_to_where_it_stops(room: str, accepted: set[str]) -> None:
    state = GAME.start({})
    read = set()
    for target in board.NAMES:
        with contextlib.suppress(IllegalMove):
            GAME.parse(state, f"{room} e3-{target}")
            read.add(target)
    assert read == accepted


def test_a_fall_of_another_kind_than_written_is_refused() -> None:
    state = at({6: "P2s5", 12: "p8"})
    with pytest.raises(IllegalMove, match=r"apb\.otherwise"):
        GAME.parse(state, "a6-b6xp#")
    with pytest.raises(IllegalMove, match=r"apb\.otherwise"):
        GAME.parse(state, "a6-b6xs#")


def test_nothing_is_read_after_the_end() -> None:
    with pytest.raises(IllegalMove, match=r"apb\.over"):
        GAME.parse(at({6: "p8"}, "w"), "a6-b6")


def test_writing_an_illegal_step_is_refused() -> None:
    state = GAME.start({})
    with pytest.raises(IllegalMove, match=r"apb\.must_make_room"):
        GAME.format(state, (PASS,))


@pytest.mark.parametrize("seed", range(10))
def test_whole_turns_are_read_as_they_are_written(seed: int) -> None:
    luck = random.Random(seed)
    state, turns = GAME.start({}), 0
    while GAME.to_act(state) is not None and turns < 40:
        begun, steps, turn = state, [], state.turn
        while GAME.to_act(state) == turn:
            steps.append(luck.choice(GAME.legal(state)))
            state = GAME.apply(state, steps[-1])
        text = GAME.format(begun, steps)
        assert GAME.parse(begun, text) == tuple(steps)
        assert GAME.format(begun, GAME.parse(begun, text.upper())) == text
        turns += 1
    assert turns > 0
