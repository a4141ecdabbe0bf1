"""The text of a match's record: written and read without loss, and nothing else is read."""

from __future__ import annotations

import pytest
from harness.examples import examples
from hypothesis import given
from hypothesis import strategies as st

from engine.core.clock import TimeControl
from engine.core.errors import CorruptRecord
from engine.core.record import Header, Record, dump, load
from engine.match.match import MOST_GAMES, MatchHeader, Terms
from engine.match.record import MatchRecord, dump_match, load_match, replay_match
from engine.registry import GAMES

words = st.text("abcdefgh0123-", min_size=1, max_size=12)
numbers = st.integers(0, 10**15 - 1)
banks = st.sampled_from(("game", "match"))
terms = st.builds(Terms, points=st.integers(1, 25), bank=banks) | st.builds(
    Terms, best_of=st.integers(2, MOST_GAMES), bank=banks
)
clocks = st.builds(
    lambda bank, increment: str(TimeControl(bank=bank * 1000, increment=increment * 1000)),
    st.integers(5, 10**6),
    st.integers(0, 10**6),
)
names = st.text(max_size=20).filter(lambda name: "\n" not in name)
headers = st.builds(
    MatchHeader,
    id=words,
    game=st.sampled_from(sorted(GAMES)),
    version=st.just(1),
    started=numbers,
    terms=terms,
    options=st.sampled_from(((), (("cube", "on"),), (("layout", "nack"), ("jacoby", "off")))),
    clock=st.just("") | clocks,
    timeout_policy=st.sampled_from(("", "loss", "claim")),
    rated=st.booleans(),
)


@given(header=headers, both=st.tuples(names, names))
@examples(100)
def test_a_match_is_read_as_it_was_written(header: MatchHeader, both: tuple[str, str]) -> None:
    record = MatchRecord(header, (), both)
    assert load_match(dump_match(record)) == record
    assert load_match(str(record)) == record


@given(two=st.tuples(numbers, numbers), clock=clocks, number=st.integers(1, 99), rated=st.booleans())
@examples(100)
def test_a_games_header_is_read_as_it_was_written(two: tuple[int, int], clock: str, number: int, rated: bool) -> None:
    header = Header(
        *("backgammon", 1, "g1", 0),
        clock=clock,
        timeout_policy="loss",
        match="m1",
        match_game=number,
        rated=rated,
        banks=two,
    )
    record = Record(header)
    assert load(dump(record)) == record


@pytest.mark.parametrize("text", ["1", "1 2 3", "-1 2", "1,2", "1 2 ", "one two", "٣ 4", "9999999999999999 1"])
def test_malformed_banks_are_refused(text: str) -> None:
    with pytest.raises(CorruptRecord):
        load(f"format: 1\ngame: abalone\nversion: 1\nid: x\nstarted: 0\nclock: 10m\nbanks: {text}\n\n")


HEAD = "format: 1\nmatch: m1\ngame: abalone\nversion: 1\nstarted: 0\nbest_of: 3\nbank: game\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        HEAD.replace("format: 1", "format: 99"),
        HEAD.replace("match: m1\n", ""),
        HEAD.replace("best_of: 3", "best_of: 0"),
        HEAD.replace("best_of: 3", "points: 26"),
        HEAD.replace("best_of: 3", "points: 3\nbest_of: 3"),
        HEAD.replace("best_of: 3", "best_of: three"),
        HEAD.replace("bank: game", "bank: day"),
        HEAD + "rated: perhaps\n",
        HEAD + "colour: red\n",
        HEAD + "match: m2\n",
        HEAD + "option score0: 1\n",
        HEAD + "option cube: on\noption cube: off\n",
        HEAD + "\n--- 2\n" + dump(Record(Header("abalone", 1, "g1", 0))),
        HEAD + "\n--- 1\nnonsense\n",
    ],
)
def test_what_is_no_match_is_refused(text: str) -> None:
    with pytest.raises(CorruptRecord):
        load_match(text)


def test_a_name_of_several_lines_is_an_error() -> None:
    with pytest.raises(ValueError, match="one line"):
        MatchRecord(MatchHeader("m1", "abalone", 1, 0, Terms(best_of=3)), names=("Ana\noption cube: on", ""))


def test_a_match_to_points_needs_a_game_with_points() -> None:
    game = GAMES["abalone"]
    record = MatchRecord(
        MatchHeader("m1", "abalone", 1, 0, Terms(points=3)),
        (Record(Header("abalone", 1, "g1", 0, match="m1", match_game=1)),),
    )
    with pytest.raises(CorruptRecord, match="bad option"):
        replay_match(game, record)


def test_options_that_are_left_out_have_their_defaults() -> None:
    game = GAMES["backgammon"]
    header = MatchHeader("m1", "backgammon", 1, 0, Terms(points=3), (("cube", "on"),))
    options = (("points", 3), ("cube", "on"))
    record = MatchRecord(header, (Record(Header("backgammon", 1, "g1", 0, options, match="m1", match_game=1)),))
    match, (table,) = replay_match(game, record)
    assert match.results == ()
    assert table.options["score0"] == 0
