"""The rules of the book, one by one."""

import pytest

from engine.core.errors import IllegalMove
from engine.core.game import Mark, Note, Outcome
from engine.core.search import forced_turn, perft, walk
from engine.games.apb import GAME, PASS, State, Step
from engine.games.apb.board import NUMBERS, cells, stepped

FIGURES = """
wa6 wc6           | a6-b6 | wb6 wd6           |
wa6 bc6 be6       | a6-b6 | wb6 bd6 bf6       |
wa6 bc6 be6 bf6   | a6-b6 | wb6 bd6 be6 bf6   |
wa6 Bc6           | a6-b6 | wb6 Bc6           |
wg6 bi6           | g6-h6 | wh6               | b
wa1 bc3 be5       | a1-b2 | wb2 bd4 bf6       |
Wa6               | a6-b6 |                   | W
Wa6 bd6           | a6-b6 | Wc6               | b
Wa6 bd6 be6       | a6-b6 | Wc6 bd6 be6       |
Wa6 bd6 bg6       | a6-b6 | Wc6 bf6 bh6       |
Wa6 bd6 bg6 bh6   | a6-b6 | Wc6 bf6 bg6 bh6   |
Wa6 bd6 Bg6       | a6-b6 | Wc6 bf6 Bg6       |
Wa6 bc6 Bi6       | a6-b6 | Wb6 bh6 Bi6       |
Wa6 Bd6           | a6-b6 | Wc6               | B
Wa6 Bd6 we6       | a6-b6 | Wc6 Bd6 we6       |
Wa6 Bd6 bf6       | a6-b6 | Wc6 Be6           | b
Wa6 Bd6 bh6 wi6   | a6-b6 | Wc6 Bg6 bh6 wi6   |
"""
LETTERS = {"w": "S", "W": "P", "b": "s", "B": "p"}


def place(text: str, side: str = "w", done: str = "-") -> State:
    """Returns a position from pieces such as ``Wa6 bd6``; a principal not named stands out of the way in
    the last row.
    """
    held = {item[1:]: LETTERS[item[0]] for item in text.split()}
    for letter, corner in (("P", "a12"), ("p", "i12")):
        if letter not in held.values():
            held[corner] = letter
    rows = ("".join(held.get(f"{column}{row}", "1") for column in "abcdefghi") for row in range(12, 0, -1))
    return GAME.decode(f"{'/'.join(rows)} {side} {done}")


def step(text: str) -> Step:
    origin, _, target = text.partition("-")
    return Step(NUMBERS[origin], NUMBERS[target])


def refused(state: State, text: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        GAME.apply(state, PASS if text == "pass" else step(text))
    return caught.value


@pytest.mark.parametrize("line", FIGURES.strip().splitlines())
def test_the_figures(line: str) -> None:
    before, move, after, lost = (part.strip() for part in line.split("|"))
    state = place(before)
    result = GAME.apply(state, step(move))
    corners = set(cells(state)) - {item[1:] for item in before.split()}
    wanted = {item[1:]: LETTERS[item[0]] for item in after.split()}
    assert {cell: piece for cell, piece in cells(result).items() if cell not in corners} == wanted
    gone = [note for note in GAME.notes(state, step(move)) if note.key in {"apb.does.falls", "apb.does.loses"}]
    wins = Note("apb.does.wins") in GAME.notes(state, step(move))
    assert bool(gone) == (lost in {"b", "w", "W"})
    assert wins == (lost == "B")
    assert (GAME.outcome(result) is not None) == (lost in {"W", "B"})


@pytest.mark.parametrize("side", ["w", "b"])
def test_the_figures_hold_for_both_sides_and_all_ways(side: str) -> None:
    """The same figures with colours exchanged, upwards from row 1 in column a, where they fit."""
    turn = {"w": "b", "b": "w", "W": "B", "B": "W"} if side == "b" else {letter: letter for letter in "wbWB"}
    seen = 0
    for line in FIGURES.strip().splitlines():
        before, move, after, _ = (part.strip() for part in line.split("|"))
        if move != "a6-b6":
            continue

        def upright(text: str) -> str:
            """Turns column a to i into row 4 to 12 of column e: the board ends as soon after it."""
            return " ".join(f"{turn[item[0]]}e{'abcdefghi'.index(item[1]) + 4}" for item in text.split())

        state = GAME.decode(_rows(upright(before), side))
        result = GAME.apply(state, step("e4-e5"))
        corners = set(cells(state)) - {item[1:] for item in upright(before).split()}
        wanted = {item[1:]: LETTERS[item[0]] for item in upright(after).split()}
        assert {cell: piece for cell, piece in cells(result).items() if cell not in corners} == wanted
        seen += 1
    assert seen == 15


def _rows(text: str, side: str) -> str:
    return GAME.encode(place(text, side))


def test_the_start() -> None:
    state = GAME.start(GAME.settle_options({}))
    assert GAME.encode(state) == "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -"
    assert GAME.to_act(state) == 0
    assert len(GAME.legal(state)) == 32
    assert all(cells(state)[str(each).split("-")[0]] == "S" for each in GAME.legal(state))


def test_each_first_step_opens_one_line_and_22_of_them_lose() -> None:
    loses = safe = 0
    for first in GAME.legal(GAME.start({})):
        state = GAME.apply(GAME.start({}), first)
        (last,) = (each for each in GAME.legal(state) if str(each).startswith("e3-"))
        if Note("apb.does.loses") in GAME.notes(state, last):
            assert GAME.outcome(GAME.apply(state, last)) == Outcome((-1, 1), "apb.end.ran_off")
            loses += 1
        else:
            assert GAME.outcome(GAME.apply(state, last)) is None
            safe += 1
    assert (loses, safe) == (22, 10)


def test_perft() -> None:
    assert [perft(GAME, GAME.start({}), depth) for depth in (1, 2, 3)] == [32, 968, 26_773]


def test_a_secondary_steps_once_a_turn_and_the_principal_ends_it() -> None:
    state = GAME.apply(GAME.start({}), step("e4-e5"))
    assert (GAME.to_act(state), stepped(state)) == (0, {"e5"})
    fault = refused(state, "e5-e6")
    assert (fault.key, fault.params) == ("apb.already_stepped", {"cell": "e5"})
    assert not [each for each in GAME.legal(state) if str(each).startswith("e5-")]
    assert GAME.to_act(GAME.apply(state, step("d4-d5"))) == 0


def test_the_turn_goes_to_the_other_side_with_nothing_stepped() -> None:
    state = GAME.apply(GAME.apply(GAME.start({}), step("e4-d5")), step("e3-e4"))
    assert cells(state)["e8"] == "P"
    assert (GAME.to_act(state), stepped(state)) == (1, frozenset())


def test_a_pushed_piece_keeps_its_own_step() -> None:
    state = GAME.apply(place("wa6 wc6 We1"), step("a6-b6"))
    assert stepped(state) == {"b6"}
    assert step("d6-e6") in GAME.legal(state)


def test_a_piece_that_stepped_stays_stepped_wherever_it_is_pushed() -> None:
    state = GAME.apply(place("wa6 wd6 we9 We1"), step("d6-c6"))
    assert stepped(state) == {"c6"}
    state = GAME.apply(state, step("a6-b6"))
    assert stepped(state) == {"b6", "d6"}
    assert refused(state, "d6-e6").key == "apb.already_stepped"
    assert step("e9-e10") in GAME.legal(state)


def test_a_stepped_piece_that_is_pushed_off_is_forgotten() -> None:
    state = GAME.apply(place("wg6 wi6 We1", done="i6"), step("g6-h6"))
    assert stepped(state) == {"h6"}
    assert "i6" not in cells(state)


def test_a_touching_piece_is_not_struck_in_that_line() -> None:
    fault = refused(place("wa6 bb6"), "a6-b6")
    assert (fault.key, fault.params) == ("apb.occupied", {"cell": "b6"})


def test_own_pieces_are_struck_too_and_may_fall() -> None:
    state = place("wg6 wi6")
    assert GAME.format(state, (step("g6-h6"),)) == "g6-h6xS"
    assert "i6" not in cells(GAME.apply(state, step("g6-h6")))


def test_a_chain_pushes_the_stepped_piece_and_the_enemy() -> None:
    state = GAME.apply(place("wa6 wc6 be6 We1", done="c6"), step("a6-b6"))
    assert stepped(state) == {"b6", "d6"}
    assert cells(state)["f6"] == "s"


def test_a_pushed_secondary_does_not_move_a_principal() -> None:
    state = GAME.apply(place("wa6 bc6 Be6"), step("a6-b6"))
    assert cells(state)["d6"] == "s"
    assert cells(state)["e6"] == "p"


def test_a_slid_principal_strikes_as_a_principal_and_what_it_strikes_as_a_secondary() -> None:
    state = GAME.apply(place("Wa6 Bc6 be6 bg6 bi6"), step("a6-b6"))
    held = {cell for cell in cells(state) if cell.endswith("6")}
    # W stops on b6; B slides to d6 and strikes e6, which slides to f6 and pushes g6 to h6, which strikes i6 off.
    assert held == {"b6", "d6", "f6", "h6"}


def test_running_off_is_legal_and_loses() -> None:
    state = place("We6 wa1")
    assert step("e6-f6") in GAME.legal(state)
    after = GAME.apply(state, step("e6-f6"))
    assert GAME.outcome(after) == Outcome((-1, 1), "apb.end.ran_off")
    assert (GAME.to_act(after), list(GAME.legal(after))) == (None, [])
    assert refused(after, "i12-i11").key == "apb.over"
    assert GAME.decode(GAME.encode(after)) == after


def test_sending_the_principal_off_wins() -> None:
    after = GAME.apply(place("Wa6 Bd6"), step("a6-b6"))
    assert GAME.outcome(after) == Outcome((1, -1), "apb.end.sent_off")
    black = GAME.apply(place("Ba6 Wd6", "b"), step("a6-b6"))
    assert GAME.outcome(black) == Outcome((-1, 1), "apb.end.sent_off")


def test_black_running_off_loses() -> None:
    assert GAME.outcome(GAME.apply(place("Be6", "b"), step("e6-e7"))) == Outcome((1, -1), "apb.end.ran_off")


def test_the_principal_must_move_if_it_can() -> None:
    fault = refused(place("We6"), "pass")
    assert (fault.key, fault.params) == ("apb.principal_must_step", {"play": "e6-d5"})


def test_an_enclosed_principal_must_be_given_room() -> None:
    fault = refused(GAME.start({}), "pass")
    assert (fault.key, fault.params) == ("apb.must_make_room", {"play": "d2-c1"})


def test_room_is_also_made_by_pushing_a_neighbour_away() -> None:
    enclosed = "Wa1 ba2 bb1 bb2 wd3"
    fault = refused(place(enclosed), "pass")
    assert (fault.key, fault.params) == ("apb.must_make_room", {"play": "d3-c2"})  # b1 falls
    assert step("a1-b1") in GAME.legal(GAME.apply(place(enclosed), step("d3-c2")))
    assert list(GAME.legal(place(enclosed, done="d3"))) == [PASS]


def test_the_turn_ends_without_the_principal_when_no_step_can_free_it() -> None:
    state = place("Wa1 bb1 ba2 bb2 we4")
    after = GAME.apply(state, PASS)
    assert (GAME.to_act(after), stepped(after)) == (1, frozenset())
    assert cells(after) == cells(state)
    alone = place("Wa1 bb1 ba2 bb2")
    assert list(GAME.legal(alone)) == [PASS]
    assert forced_turn(GAME, alone) == (PASS,)


def test_secondaries_that_have_stepped_do_not_count_as_making_room() -> None:
    state = place("Wa1 wb1 ba2 bb2", done="b1")
    assert list(GAME.legal(state)) == [PASS]
    assert refused(place("Wa1 wb1 ba2 bb2"), "pass").key == "apb.must_make_room"


@pytest.mark.parametrize(
    ("position", "text", "key", "params"),
    [
        ("We1", "d5-d6", "apb.no_piece", {"cell": "d5"}),
        ("We1 bd5", "d5-d6", "apb.not_yours", {"cell": "d5"}),
        ("We1", "i12-i11", "apb.not_yours", {"cell": "i12"}),
        ("We1 wd5", "d5-d7", "apb.not_neighbour", {"cell": "d5", "to": "d7"}),
        ("We1 wd5", "d5-d5", "apb.not_neighbour", {"cell": "d5", "to": "d5"}),
        ("We1 wi5", "i5-a6", "apb.not_neighbour", {"cell": "i5", "to": "a6"}),
        ("We1 wd5 bd6", "d5-d6", "apb.occupied", {"cell": "d6"}),
    ],
)
def test_refusals_name_the_rule(position: str, text: str, key: str, params: dict[str, str]) -> None:
    fault = refused(place(position), text)
    assert (fault.key, fault.params) == (key, params)


def test_a_step_off_the_board_is_refused() -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.apply(place("We1 wd5"), Step(NUMBERS["d5"], 400))
    assert (caught.value.key, caught.value.params) == ("apb.off_board", {"step": "d5-?"})


def test_notes_tell_what_a_step_does() -> None:
    def told(position: str, text: str) -> list[tuple[str, dict[str, object]]]:
        return [(note.key, dict(note.params)) for note in GAME.notes(place(position), step(text))]

    assert told("wa6", "a6-b6") == []
    assert told("Wa6", "a6-b6") == [("apb.does.loses", {})]
    assert told("Wa6 bd6 bg6", "a6-b6") == [
        ("apb.does.stops", {"cell": "c6"}),
        ("apb.does.pushes", {"cells": "d6→f6, g6→h6"}),
    ]
    assert told("Wa6 Bd6 bf6", "a6-b6") == [
        ("apb.does.stops", {"cell": "c6"}),
        ("apb.does.pushes", {"cells": "d6→e6"}),
        ("apb.does.falls", {"cell": "f6", "piece": "s"}),
    ]
    assert told("Wa6 Bd6", "a6-b6") == [("apb.does.stops", {"cell": "c6"}), ("apb.does.wins", {})]
    assert GAME.notes(place("Wa1 bb1 ba2 bb2"), PASS) == ()


def test_marks_show_what_a_step_touches() -> None:
    assert GAME.marks(place("Wa6 Bd6 bf6"), step("a6-b6")) == (
        Mark("from", "a6", "c6"),
        Mark("to", "c6"),
        Mark("push", "d6", "e6"),
        Mark("out", "f6", "i6"),
    )
    assert GAME.marks(place("Wa6"), step("a6-b6")) == (Mark("from", "a6", "i6"), Mark("out", "a6", "i6"))
    assert GAME.marks(place("wa6"), step("a6-b6")) == (Mark("from", "a6", "b6"), Mark("to", "b6"))
    assert GAME.marks(place("Wa1 bb1 ba2 bb2"), PASS) == ()


def test_paths_are_the_two_cells() -> None:
    assert GAME.path(GAME.start({}), step("e4-d5")) == ("e4", "d5")
    assert GAME.path(GAME.start({}), PASS) == ("pass",)


def shuffle(length: int) -> list[State]:
    """Positions at the start of a game's turns in which no piece leaves and no position comes back."""
    spots = [f"{column}{row}" for column in "abcdefghi" for row in range(2, 12)]
    return [place(f"We1 w{spots[turn]}", "wb"[turn % 2]) for turn in range(length)]


def test_the_third_repetition_is_a_draw() -> None:
    again, other = shuffle(2)
    assert GAME.outcome_by_history([again, other, again], {}) is None
    assert GAME.outcome_by_history([again, other, again, other], {}) is None
    assert GAME.outcome_by_history([again, other, again, other, again], {}) == Outcome((0, 0), "end.repetition")


def test_the_same_board_with_the_other_side_to_move_is_another_position() -> None:
    white, black = (place("We1 wd5", side) for side in "wb")
    assert GAME.outcome_by_history([white, black, white, black], {}) is None


def test_fifty_turns_without_a_piece_leaving_are_a_draw() -> None:
    history = shuffle(51)  # 50 turns have been made by the start of the 51st
    assert GAME.outcome_by_history(history[:50], {}) is None
    assert GAME.outcome_by_history(history, {}) == Outcome((0, 0), "apb.end.quiet")
    assert GAME.outcome_by_history([], {}) is None


def test_a_piece_that_leaves_starts_the_count_anew() -> None:
    more = place("We1 wd5 wg7")
    assert GAME.outcome_by_history([more, *shuffle(50)], {}) is None
    assert GAME.outcome_by_history([more, *shuffle(51)], {}) == Outcome((0, 0), "apb.end.quiet")


def test_always_taking_the_last_step_ends_the_game() -> None:
    *_, (state, step_taken) = walk(GAME, GAME.start({}), lambda steps, _: steps[-1], limit=500)
    assert GAME.outcome(GAME.apply(state, step_taken)) is not None
