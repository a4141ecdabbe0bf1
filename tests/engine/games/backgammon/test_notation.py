"""Reading turns leniently, writing them canonically, and saying what is wrong with a text."""

import random

import pytest
from harness.catalogue import messages, placeholders
from harness.examples import examples
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import AmbiguousMove, BadNotation, IllegalMove, RuleError
from engine.games.backgammon import GAME, PASS, Move, State
from engine.kits.dice import Roll

START = "-b----E-C---eE---c-e----B-"


def at(board: str, dice: str, turn: int = 1) -> State:
    return GAME.decode(f"XGID={board}:0:0:{turn}:{dice}:0:0:0:0:10")


def canonical(state: State, text: str) -> str:
    return GAME.format(state, GAME.parse(state, text))


def end(state: State, steps: tuple[Move | Roll, ...]) -> State:
    for step in steps:
        state = GAME.apply(state, step)
    return state


# --- writing and lenient reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "text", "written"),
    [
        ("31", "8/5 6/5", "8/5 6/5"),
        ("31", "6/5 8/5", "8/5 6/5"),
        ("31", " 8-5,  6-5 ", "8/5 6/5"),
        ("31", "8x5;6x5", "8/5 6/5"),
        ("31", "8 / 5 6 / 5", "8/5 6/5"),
        ("31", "8\u21925 6\u20135", "8/5 6/5"),
        ("31", "13/9", "13/9"),
        ("31", "13/10/9", "13/9"),
        ("31", "8/7 7/4", "8/4"),
        ("31", "10/9 13/10", "13/9"),
        ("31", "13/10", "13/10"),
        ("43", "13/9 13/10", "13/10 13/9"),
        ("62", "24/18 13/11", "24/18 13/11"),
        ("22", "13/11(2) 6/4(2)", "13/11(2) 6/4(2)"),
        ("22", "6/4 13/11 6/4 13/11", "13/11(2) 6/4(2)"),
        ("22", "13/11 11/9 9/7 7/5", "13/5"),
        ("22", "13/9(2)", "13/9(2)"),
        ("22", "13/11 (2) 11/9(2)", "13/9(2)"),
        ("22", "13/7", "13/7"),
        ("22", "13/7 13/11", "13/11 13/7"),
        ("66", "24/18(2),13/7(2)", "24/18(2) 13/7(2)"),
    ],
)
def test_from_the_start(dice: str, text: str, written: str) -> None:
    for turn in (1, -1):
        state = at(START, dice, turn)
        assert canonical(state, text) == written
        assert canonical(state, text.upper()) == written
        assert GAME.parse(state, written) == GAME.parse(state, canonical(state, written))


@pytest.mark.parametrize(
    ("board", "dice", "text", "written"),
    [
        ("-b---aE-C---eE---c-d----B-", "31", "8/5 6/5", "8/5* 6/5"),
        ("-b---aE-C---eE---c-d----B-", "31", "8/5* 6/5*", "8/5* 6/5"),
        ("-b---aE-C---eE---c-d----B-", "31", "8/5* 5/4", "8/5*/4"),
        ("-b---aE-C---eE---c-d----B-", "31", "8/5*/4", "8/5*/4"),
        ("-b--a-E-C---eE---c-d----B-", "22", "8/4(2)", "8/4*(2)"),
        ("-b--a-E-C---eE---c-d----B-", "22", "8/4(2)*", "8/4*(2)"),
        ("-b--a-E-C---eE---c-d----B-", "22", "6/4 8/4", "8/4* 6/4"),
        ("-b----E-C---eE---c-da---AA", "51", "13/8 bar/24", "bar/24 13/8"),
        ("-b----E-C---eE---c-d-a--AA", "41", "B/21 24/23", "bar/21* 24/23"),
        ("-b----E-C---eE---c-d-a--AA", "41", "25/21 21/20", "bar/21*/20"),
        ("-b----E-C---eE---c-d-a--AA", "41", "bar-21", "bar/21*"),
        ("-CBB-B-----------------bb-", "52", "5/off 2/off", "5/off 2/off"),
        ("-CBB-B-----------------bb-", "52", "2/0, 5/0", "5/off 2/off"),
        ("-CBB-B-----------------bb-", "55", "5/o(2) 3/o 3/off", "5/off(2) 3/off(2)"),
        ("-CBB-B-----------------bb-", "44", "5/1", "5/1"),
        ("-CBB-B-----------------bb-", "32", "5/off", "5/off"),
        ("-CBB-B-----------------bb-", "32", "5/3/off", "5/off"),
    ],
)
def test_hits_bar_and_tray(board: str, dice: str, text: str, written: str) -> None:
    state = at(board, dice)
    assert canonical(state, text) == written


def test_one_die_is_read_before_two() -> None:
    state = at("-AB---A----------------bb-", "64")
    assert GAME.parse(state, "6/off") == (Move(6, 0),)
    assert GAME.parse(state, "6/2/off") == (Move(6, 2), Move(2, 0))
    assert GAME.format(state, (Move(6, 2), Move(2, 0))) == "6/2/off"
    assert GAME.format(state, (Move(6, 0), Move(2, 0))) == "6/off 2/off"


def test_a_stop_is_written_where_the_other_way_hits() -> None:
    state = at("-b----E-C---eE---c-da---B-", "54")
    readings = {GAME.format(state, steps) for steps, _ in GAME.turns(state)}
    assert {"24/20*/15", "24/19/15"} & readings == {"24/20*/15"}, "19 is Black's"
    state = at("-b----E-C---eE---c--a---B-", "54")
    readings = {GAME.format(state, steps) for steps, _ in GAME.turns(state)}
    assert {"24/20*/15", "24/19/15"} <= readings
    assert "24/15" not in readings
    with pytest.raises(AmbiguousMove) as caught:
        GAME.parse(state, "24/15")
    assert caught.value.key == "backgammon.ambiguous"
    assert caught.value.readings == ("24/19/15", "24/20*/15")
    assert caught.value.params == {"text": "24/15", "readings": "24/19/15, 24/20*/15"}
    assert GAME.parse(state, "24/19 19/15") == (Move(24, 19), Move(19, 15))
    with pytest.raises(AmbiguousMove):
        GAME.parse(state, "24/15(1)")


def test_two_ways_that_both_hit() -> None:
    state = at("-b----E-C---eE---c-aa---B-", "54")
    with pytest.raises(AmbiguousMove) as caught:
        GAME.parse(state, "24/15")
    assert caught.value.readings == ("24/19*/15", "24/20*/15")
    assert canonical(state, "24/19/15") == "24/19*/15"


def test_marks_that_are_wrong() -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(at(START, "31"), "8/5* 6/5")
    assert (caught.value.key, caught.value.params) == ("backgammon.no_hit", {"point": 5})


@pytest.mark.parametrize("text", ["pass", "PASS", " pass. ", "no move", "cannot move", "no play"])
def test_a_pass(text: str) -> None:
    state = at("----------------A--bbbbbbB", "63")
    assert GAME.parse(state, text) == (PASS,)
    assert GAME.format(state, (PASS,)) == "pass"
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(at(START, "31"), text)
    assert caught.value.key == "backgammon.may_not_pass"


def test_rolls() -> None:
    state = GAME.decode(f"XGID={START}:0:0:1:00:0:0:0:0:10")
    assert GAME.parse(state, "13") == GAME.parse(state, " 3 1 ") == (Roll(3, 1),)
    assert GAME.format(state, (Roll(3, 1),)) == "31"
    opening = GAME.start({"layout": "standard"})
    assert GAME.parse(opening, "13") == (Roll(1, 3),)
    assert GAME.format(opening, (Roll(1, 3),)) == "13"
    for text, error, key in (
        ("71", BadNotation, "dice.unreadable"),
        ("", BadNotation, "dice.unreadable"),
        ("8/5", IllegalMove, "backgammon.roll_first"),
        ("6/5", IllegalMove, "backgammon.roll_first"),  # a move, though its numbers could be dice
        ("6-5", IllegalMove, "backgammon.roll_first"),
        ("pass", IllegalMove, "backgammon.roll_first"),
    ):
        with pytest.raises(error) as caught:
            GAME.parse(state, text)
        assert caught.value.key == key


def test_nothing_is_nothing() -> None:
    assert GAME.format(at(START, "31"), ()) == ""


# --- what is wrong with a text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "dice", "text", "key", "params"),
    [
        (START, "31", "", "backgammon.unreadable", {"text": ""}),
        (START, "31", "hello", "backgammon.unreadable", {"text": "hello"}),
        (START, "31", "8", "backgammon.unreadable", {"text": "8"}),
        (START, "31", "8/", "backgammon.unreadable", {"text": "8/"}),
        (START, "31", "8/5(5)", "backgammon.unreadable", {"text": "8/5(5)"}),
        (START, "31", "8/5 6/5 now", "backgammon.unreadable", {"text": "8/5 6/5 now"}),
        (START, "31", "8/5 " * 50, "backgammon.unreadable", {"text": ("8/5 " * 50).strip()}),
        (START, "31", "29/26", "backgammon.no_point", {"point": 29}),
        (START, "31", "24/25", "backgammon.no_point", {"point": 25}),
        (START, "31", "5/8", "backgammon.wrong_way", {"step": "5/8"}),
        (START, "31", "off/3", "backgammon.wrong_way", {"step": "off/3"}),
        (START, "31", "8/bar", "backgammon.wrong_way", {"step": "8/bar"}),
        (START, "31", "bar/22", "backgammon.bar_empty", {}),
        (START, "31", "7/4", "backgammon.no_checker", {"point": 7}),
        (START, "31", "12/9", "backgammon.no_checker", {"point": 12}),
        (START, "31", "8/6", "backgammon.no_die", {"step": "8/6", "dice": "3 1"}),
        (START, "31", "8/5 8/5", "backgammon.no_die", {"step": "8/5", "dice": "1"}),
        (START, "31", "8/5(2)", "backgammon.no_die", {"step": "8/5", "dice": "1"}),
        (START, "31", "8/5 6/5 24/23", "backgammon.too_many_moves", {"roll": "3-1"}),
        (START, "55", "13/8(4) 6/1", "backgammon.too_many_moves", {"roll": "5-5"}),
        (START, "61", "13/12", "backgammon.blocked", {"point": 12}),
        (START, "55", "24/14", "backgammon.blocked", {"point": 19}),
        (START, "61", "13/7 13/12", "backgammon.blocked", {"point": 12}),
        (START, "65", "6/off", "backgammon.not_home", {"point": 24}),
        ("-b----E-C---eE---c-d-a--AA", "41", "8/4 bar/21", "backgammon.no_die", {"step": "8/4", "dice": "1"}),
        ("-b----E-C---eE---c-d-a--AA", "61", "8/7", "backgammon.bar_first", {"cell": "bar"}),
        ("-A---A-----------------b--", "43", "1/off", "backgammon.higher_checker", {"point": 1, "higher": 5}),
        ("--B-bA---B---bb-----------", "51", "2/1", "backgammon.more_dice", {"dice": 2, "play": "9/3"}),
        ("-----b-----b----------A---", "65", "22/17", "backgammon.higher_die", {"die": 6, "play": "22/16"}),
    ],
)
def test_refused_texts(board: str, dice: str, text: str, key: str, params: dict[str, object]) -> None:
    with pytest.raises(RuleError) as caught:
        GAME.parse(at(board, dice), text)
    assert (caught.value.key, caught.value.params) == (key, params)
    assert isinstance(
        caught.value, BadNotation if key in {"backgammon.unreadable", "backgammon.no_point"} else IllegalMove
    )


def test_nothing_is_read_when_the_game_is_over() -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(GAME.decode("XGID=-----------------------a--:0:0:1:00:0:0:0:0:10"), "8/5")
    assert caught.value.key == "backgammon.over"


# --- laws -------------------------------------------------------------------------------------------------------------


@examples(30)
@given(st.integers(0, 2**32), st.data())
def test_beginnings_of_turns_survive_their_text(seed: int, data: st.DataObject) -> None:
    luck = random.Random(seed)
    state = GAME.start({"layout": luck.choice(("standard", "nack", "hyper", "longgammon"))})
    for _ in range(data.draw(st.integers(1, 120))):
        if GAME.to_act(state) is not None:
            state = GAME.apply(state, luck.choice(GAME.legal(state)))
    here, steps = state, ()
    while GAME.to_act(here) is not None and (not steps or here.turn == state.turn) and len(steps) < 4:
        step = luck.choice(GAME.legal(here))
        here, steps = GAME.apply(here, step), (*steps, step)
        text = GAME.format(state, steps)
        read = GAME.parse(state, text)
        assert end(state, read) == here, text
        assert GAME.format(state, read) == text
        if isinstance(step, Roll):
            break


@examples(150)
@given(
    st.sampled_from([START, "-AB-BCCa---------bbbbbb---", "-b--a-E-C--a-D---c--a-bbAB", "-CBB-B-----------------bb-"]),
    st.sampled_from(["31", "65", "22", "55", "41"]),
    st.lists(
        st.from_regex(r"(bar|[12]?[0-9])\*?/([12]?[0-9]|off)\*?(/[0-9]\*?)?(\([1-4]\))?", fullmatch=True), max_size=5
    ),
)
def test_any_text_is_read_or_refused(board: str, dice: str, items: list[str]) -> None:
    state = at(board, dice)
    try:
        steps = GAME.parse(state, " ".join(items))
    except RuleError as error:
        refusal = error
    else:
        assert GAME.parse(state, GAME.format(state, steps))
        end(state, steps)
        return
    assert placeholders(messages("en")[refusal.key]) <= set(refusal.params)
