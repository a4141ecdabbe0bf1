"""Position texts: XGID, the layouts, what is refused, and GNU Backgammon's IDs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import BadNotation
from engine.core.game import CHANCE
from engine.games.backgammon import GAME, board, gnubg
from engine.kits.dice import Roll
from engine.kits.xgid import MatchFields

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
FIELDS = ":0:0:1:00:0:0:0:0:10"


def test_the_rule_books_start() -> None:
    text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    state = GAME.decode(text)
    assert GAME.encode(state) == text
    assert state.turn == GAME.to_act(state) == 0
    assert state.roll == Roll(3, 1)
    assert state.dice == (3, 1)
    assert state.off == (0, 0)
    assert state.points == (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
    assert board.pips(state, 0) == board.pips(state, 1) == 167


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        ("standard", START),
        ("nack", "XGID=-bb---D-C---dD---c-d---BB-:0:0:1:00:0:0:0:0:10"),
        ("hyper", "XGID=-aaa------------------AAA-:0:0:1:00:0:0:0:0:10"),
        ("longgammon", "XGID=-o----------------------O-:0:0:1:00:0:0:0:0:10"),
    ],
)
def test_layouts(layout: str, text: str) -> None:
    options = GAME.settle_options({"layout": layout})
    opening = GAME.start(options)
    assert opening.opening
    assert GAME.encode(opening) == text
    state = GAME.decode(text, options)
    assert not state.opening
    assert GAME.to_act(state) == CHANCE
    assert GAME.encode(state) == text
    assert state.off == (0, 0)
    assert GAME.decode(text).off == ((12, 12) if layout == "hyper" else (0, 0))


def test_the_layout_bounds_the_checkers() -> None:
    with pytest.raises(BadNotation) as caught:
        GAME.decode(START, {"layout": "hyper"})
    assert caught.value.key == "backgammon.position_checkers"
    assert caught.value.params == {"side": "@seat.white", "found": 15, "most": 3}


def test_reading_is_lenient_about_the_frame() -> None:
    state = GAME.decode(START)
    assert GAME.decode(f"  {START}\n") == GAME.decode(START.removeprefix("XGID=")) == state
    assert GAME.decode(START.replace("XGID", "xgid")) == state
    assert GAME.decode(START.replace(":00:", ":13:")).roll == Roll(3, 1)


def test_match_fields_survive() -> None:
    text = "XGID=-a-B--E-B-a-dDB--b-bcb----:2:-1:-1:42:3:5:1:7:12"
    state = GAME.decode(text)
    assert state.turn == 1
    assert state.fields == MatchFields("2", "-1", "3", "5", "1", "7", ("12",))
    assert GAME.encode(state) == text
    after = GAME.turns(state)[0][1]
    assert after.fields == state.fields
    assert GAME.encode(after).endswith(":2:-1:1:00:3:5:1:7:12")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "backgammon.position"),
        ("XGID=", "backgammon.position"),
        ("nonsense", "backgammon.position"),
        ("XGID=-b----E-C---eE---c-e----B" + FIELDS, "backgammon.position_length"),
        ("XGID=-b----E-C---eE---c-e----B--" + FIELDS, "backgammon.position_length"),
        ("XGID=-b----P-C---eE---c-e----B-" + FIELDS, "backgammon.position_letter"),
        ("XGID=-b----5-C---eE---c-e----B-" + FIELDS, "backgammon.position_letter"),
        ("XGID=-b----\u0415-C---eE---c-e----B-" + FIELDS, "backgammon.position_letter"),
        ("FOO=-b----E-C---eE---c-e----B-" + FIELDS, "backgammon.position_letter"),
        ("XGID=Ab----E-C---eE---c-e----B-" + FIELDS, "backgammon.position_bar"),
        ("XGID=-b----E-C---eE---c-e----Ba" + FIELDS, "backgammon.position_bar"),
        ("XGID=-b----F-C---eE---c-e----B-" + FIELDS, "backgammon.position_checkers"),
        ("XGID=-b----E-C---eE---c-e----Ab" + FIELDS, "backgammon.position_bar"),
        ("XGID=-b----E-C---eE---c-f----B-" + FIELDS, "backgammon.position_checkers"),
        ("XGID=--------------------------" + FIELDS, "backgammon.position_over"),
        ("XGID=-b----E-C---eE---c-e----B-", "xgid.fields"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0", "xgid.fields"),
        ("XGID=-b----E-C---eE---c-e----B-:x:0:1:00:0:0:0:0:10", "xgid.cube"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:2:00:0:0:0:0:10", "xgid.turn"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:70:0:0:0:0:10", "dice.unreadable"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:B:0:0:0:0:10", "dice.unreadable"),
    ],
)
def test_refused_texts(text: str, key: str) -> None:
    with pytest.raises(BadNotation) as caught:
        GAME.decode(text)
    assert caught.value.key == key


@given(st.text(alphabet="-aAbBoOcE:0123456789=XGID+/", max_size=70))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        state = GAME.decode(text)
    except BadNotation:
        return
    assert GAME.decode(GAME.encode(state)) == state


def test_a_finished_game_has_no_roll() -> None:
    state = GAME.decode("XGID=-----------------------a--:0:0:1:31:0:0:0:0:10")
    assert GAME.to_act(state) is None
    assert state.roll is None
    assert GAME.decode(GAME.encode(state)) == state


def test_within_a_turn_the_board_is_written_as_it_is() -> None:
    state = GAME.decode(START.replace(":00:", ":31:"))
    (step,) = GAME.parse(state, "8/5")
    assert GAME.encode(GAME.apply(state, step)) == "XGID=-b---AE-B---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


# --- GNU Backgammon: pairs as that program writes them ----------------------------------------------------------------

PAIRS = [
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10", "4HPwATDgc/ABMA:cAkAAAAAAAAA"),
    ("XGID=-bIDdA-b-aA--------aaaa-b-:0:0:1:31:0:0:0:0:10", "UwUg4zH+e4IAAA:cIkFAAAAAAAE"),
    ("XGID=--b---B--------------b----:0:0:1:00:0:0:1:0:10", "GAAAAwwAAAAAAA:cAkAAAAAAAAA"),
    ("XGID=--A-B--------------aabb-b-:2:1:1:43:2:4:0:9:10", "sxUAAGQAAAAAAA:UgkuAUAAEAAE"),
    ("XGID=-ABABCAa---------c--b-----:3:-1:1:00:0:0:0:0:10", "MA5AgNYuAAAAAA:QwkAAAAAAAAE"),
    ("XGID=-ABCbCFb-bb-----ba------c-:0:0:1:31:0:0:0:0:10", "BzSwGYN27gcAAA:cIkFAAAAAAAE"),
]


@pytest.mark.parametrize(("xgid", "ids"), PAIRS)
def test_gnu_backgammon_ids(xgid: str, ids: str) -> None:
    state = GAME.decode(xgid)
    assert gnubg.write(state) == ids
    assert GAME.decode(ids) == state


def test_a_match_key_of_the_manual() -> None:
    """2-4 in a match to 9, player 0 (Black) holds a 2-cube, player 1 (White) has rolled 52."""
    state = GAME.decode("4HPwATDgc/ABMA:QYkqASAAIAAA")
    assert GAME.encode(state) == "XGID=-b----E-C---eE---c-e----B-:1:-1:1:52:4:2:0:9:10"


@pytest.mark.parametrize(("turn", "key"), [("1", "cBEAAAAAAAAA"), ("-1", "MBkAAAAAAAAA")])
def test_after_a_double_the_decision_is_the_other_sides(turn: str, key: str) -> None:
    """Of bits 11 and 12, the player who decides and that a double is open."""
    state = GAME.decode(f"XGID=-b----E-C---eE---c-e----B-:0:0:{turn}:D:0:0:1:0:10")
    assert gnubg.match_id(state) == key
    assert GAME.decode(gnubg.write(state)) == state


def test_black_to_move_is_seen_from_black() -> None:
    text = "XGID=-BDC--------aA-aA---Cag-eA:2:-1:-1:43:2:4:0:9:10"
    state = GAME.decode(text)
    assert GAME.decode(gnubg.write(state)) == state
    mirrored = GAME.decode(gnubg.position_id(state))
    assert (mirrored.white, mirrored.black) == (state.black, state.white)
    assert mirrored.turn == 0


def test_crawford_and_the_end_of_a_game() -> None:
    crawford = GAME.decode("XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:6:1:1:7:10")
    assert GAME.decode(gnubg.write(crawford)) == crawford
    over = GAME.decode("XGID=-----------------------a--:1:1:-1:00:0:0:0:0:10")
    assert GAME.decode(gnubg.write(over)) == over


def test_numbers_that_do_not_fit_are_kept_within_their_field() -> None:
    state = GAME.decode("XGID=-b----E-C---eE---c-e----B-:30:0:1:00:99999:x:0:99999:10")
    read = GAME.decode(gnubg.write(state)).fields
    assert (read.cube, read.white_score, read.black_score, read.length) == ("15", "32767", "0", "32767")


@pytest.mark.parametrize(
    "text",
    [
        "//////////////",
        "4HPwATDgc/ABM/",
        "4HPwATDgc/ABMA:cIk/AAAAAAAA",
        "4HPwATDgc/ABMA:cIkHAAAAAAAA",
        "AAAAAAAAAAAAAQ:cAkAAAAAAAAA",
        "AQAAAAAAAgAAAA",
    ],
)
def test_refused_ids(text: str) -> None:
    with pytest.raises(BadNotation) as caught:
        GAME.decode(text)
    assert caught.value.key in {"backgammon.gnubg_id", "backgammon.position_over"}


@given(st.from_regex(r"[A-Za-z0-9+/]{14}(:[A-Za-z0-9+/]{12})?", fullmatch=True))
def test_any_ids_are_read_or_refused(text: str) -> None:
    try:
        state = GAME.decode(text)
    except BadNotation:
        return
    assert GAME.decode(gnubg.write(state)) == state
