"""The position and its text (abak.md, Position text)."""

from random import Random

import pytest
from harness.abak import Place
from harness.examples import examples
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import BadNotation
from engine.core.game import CHANCE
from engine.core.search import walk
from engine.games.abak import GAME, pips
from engine.games.abak.board import CLASSES, LETTERS
from engine.kits.dice import Roll

BOARD = "ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed"
START = f"ABAKID={BOARD}:-:0:0:1:31:0:0:0:0:10"


def test_the_start_is_that_of_the_book() -> None:
    state = GAME.start({})
    assert GAME.encode(state) == START.replace(":31:", ":00:")
    assert state.opening
    assert not GAME.decode(GAME.encode(state)).opening
    assert pips(state, 0) == pips(state, 1) == 194
    assert state.off == ("", "")
    for seat in (0, 1):
        army = [stone for column in state.columns for stone in column if stone.isupper() == (seat == 0)]
        assert sorted(army) == sorted("SSSSSSSSSGGKDEO" if seat == 0 else "sssssssssggkdeo")
    mirrored = {25 - point: column.swapcase() for point, column in enumerate(state.columns) if point}
    assert all(mirrored[point] == column for point, column in enumerate(state.columns) if point)


def test_a_text_says_everything() -> None:
    text = "ABAKID=E/1/sDS/21:GKsd:2:-1:-1:65:3:4:1:7:8:later"
    state = GAME.decode(text)
    assert GAME.encode(state) == text
    assert (state.turn, state.roll, state.dice) == (1, Roll(6, 5), (6, 5))
    assert (state.columns[24], state.columns[22], state.bar) == ("E", "sDS", ("GK", "sd"))
    assert state.off == ("SSSSSSSSGO", "sssssssggkeo")
    assert state.fields.cube_value == 4
    assert not state.opening


def test_reading_is_lenient_and_writing_is_not() -> None:
    loose = f"  abakid={BOARD.replace('/3/', '/1/2/')}:-:0:0:1:13:0:0:0:0:10\n"
    assert GAME.encode(GAME.decode(loose)) == START
    assert GAME.decode(START.removeprefix("ABAKID=")) == GAME.decode(START)
    assert GAME.decode("E/23:sGdS:0:0:1:00:0:0:0:0:10").bar == ("SG", "sd")


def test_a_finished_game_has_no_dice_to_play(place: Place) -> None:
    state = place({24: "s"}, 31)
    assert GAME.to_act(state) is None
    assert GAME.decode(GAME.encode(state)) == state
    assert state.roll is None


BAD = {
    "nothing": ("", "xgid.fields"),
    "no fields": (f"ABAKID={BOARD}", "xgid.fields"),
    "too few fields": (f"ABAKID={BOARD}:-:0:0:1", "xgid.fields"),
    "a bad turn": (START.replace(":1:31", ":2:31"), "xgid.turn"),
    "a bad cube": (START.replace(":-:0:", ":-:x:"), "xgid.cube"),
    "bad dice": (START.replace(":31:", ":37:"), "dice.unreadable"),
    "23 points": (START.replace("/3/os", "/2/os"), "abak.position_columns"),
    "25 points": (START.replace("/3/os", "/4/os"), "abak.position_columns"),
    "an empty part": (START.replace("/3/os", "//os"), "abak.position_column"),
    "no points": (START.replace("/3/os", "/0/os"), "abak.position_column"),
    "a padded number": (START.replace("/3/os", "/03/os"), "abak.position_column"),
    "an unknown class": (START.replace("ED/", "EQ/"), "abak.position_column"),
    "a letter that only looks right": (START.replace("ED/", "E\N{LATIN SMALL LETTER LONG S}/"), "abak.position_column"),
    "a digit that only looks right": (START.replace("/3/os", "/\N{SUPERSCRIPT THREE}/os"), "abak.position_column"),
    "six on a point": (START.replace("SSGS/", "SSSGES/").replace("ED/", "D/"), "abak.position_tall"),
    "two generals": (START.replace("ED/", "KD/"), "abak.position_stones"),
    "ten soldiers, one on the bar": (START.replace(":-:", ":s:"), "abak.position_stones"),
    "an empty bar": (START.replace(":-:", "::"), "abak.position_bar"),
    "a strange bar": (START.replace(":-:", ":x:"), "abak.position_bar"),
    "no stones at all": ("ABAKID=24:-:0:0:1:00:0:0:0:0:10", "abak.position_empty"),
}


@pytest.mark.parametrize(("text", "key"), BAD.values(), ids=list(BAD))
def test_bad_texts_are_refused_by_name(text: str, key: str) -> None:
    with pytest.raises(BadNotation) as refused:
        GAME.decode(text)
    assert refused.value.key == key


@examples(12)
@given(seed=st.integers(0, 2**32))
def test_nothing_is_lost_in_a_game(seed: int) -> None:
    """All stones are always somewhere, no column is too tall, and every position survives its text."""
    luck = Random(seed)
    for state, _ in walk(GAME, GAME.start({}), lambda steps, weights: luck.choices(steps, weights)[0], 500):
        assert sorted("".join((*state.columns, *state.bar, *state.off))) == sorted("SSSSSSSSSGGKDEOsssssssssggkdeo")
        assert max(map(len, state.columns)) <= 5
        assert all(stones == "".join(sorted(stones, key=lambda s: CLASSES.index(s.upper()))) for stones in state.bar)
        if GAME.to_act(state) == CHANCE and not state.opening:
            assert GAME.decode(GAME.encode(state)) == state


@examples(100)
@given(text=st.text(alphabet="SGKDEOsgkdeo0123456789/:-=", max_size=60))
def test_nonsense_is_refused(text: str) -> None:
    try:
        state = GAME.decode(f"{text}:-:0:0:1:31:0:0:0:0:10")
    except BadNotation:
        return
    assert GAME.decode(GAME.encode(state)) == state
    assert LETTERS.issuperset("".join(state.columns))
