"""``.mat`` files: ours come back, those of other programs are read, and what does not hold is refused."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from harness.matches import NAMES, STARTED, random_game, random_match
from harness.thinning import in_number

from engine import exchange
from engine.core.clock import LAG
from engine.core.errors import RuleError
from engine.core.record import Entry, Header, Kind, Record
from engine.core.table import Table
from engine.exchange import BadLine, Games
from engine.exchange.decisions import replayed_game
from engine.games.backgammon import GAME
from engine.games.backgammon.jellyfish import read_play
from engine.kits.cube import OFF, ON
from engine.match.match import Match, MatchHeader, Terms
from engine.match.record import MatchRecord, replay_match

if TYPE_CHECKING:
    from engine.core.game import OptionValue

MATCH = """\
; [Site "XG Gammon"]
; [Player 1 "Joe \\"the\\" Cat"]
; [EventDate "2019.03.02"]
; [EventTime "18.35"]
; [Variation "Backgammon"]
; [Crawford "On"]
; [CubeLimit "1024"]

5 point match

 Game 1
 Joe,1712 : 0                              Ann : 0
  1) 31: 8/5 6/5                          64: 24/18 18/14
  2)  Doubles => 2                         Takes
  3) 66: 24/18(2) 13/7(2)                 21: 6/4 24/23
  4) 43: 18/11*                           66: Cannot Move
      Wins 2 points

 Game 2
 Joe,1712 : 2                              Ann : 0
  1)                                      52: 13/11, 13/8
  2) 55:13/3(2)                           43: 24/20 13-10
  3) 61: 13/7  8/7                         Doubles => 2
  4)  Drops
                                           Wins 1 point
"""
DOUBLED = "  2)  Doubles => 2                         Takes"
"""A line of it."""


def plays(content: MatchRecord | Games) -> list[Any]:
    """Returns for each game the turns with seat and dice, the open roll, and the points at its end."""
    told: list[Any] = []
    for record in content.games:
        replayed = replayed_game(record)
        points = None if replayed.table.outcome is None else replayed.table.outcome.points
        told.append(
            ([(turn.entry.seat, turn.entry.body, turn.roll) for turn in replayed.decisions], replayed.roll, points)
        )
    return told


def read(text: str) -> MatchRecord | Games:
    found = exchange.read(text, "mat")
    assert isinstance(found, MatchRecord | Games)
    return found


def bad_line(text: str) -> tuple[int, str]:
    with pytest.raises(BadLine) as caught:
        exchange.read(text, "mat")
    return caught.value.line, caught.value.cause.key


@in_number("count", 9, 60)
def test_random_matches_come_back_with_the_same_plays_scores_and_winner(count: int) -> None:
    rng = random.Random(31)
    for number in range(count):
        match = random_match(rng, number % 9 + 1, options={"cube": OFF if number % 7 == 6 else ON})
        back = read(exchange.write(match, "mat"))
        assert isinstance(back, MatchRecord)
        assert plays(back) == plays(match)
        assert back.names == NAMES
        assert replace(back.header, options=match.header.options) == match.header
        ours, theirs = (replay_match(GAME, each)[0] for each in (match, back))
        assert (theirs.score, theirs.result) == (ours.score, ours.result)
        assert dict(back.header.options)["cube"] == dict(match.header.options)["cube"]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"cube": ON},
        {"cube": ON, "jacoby": OFF},
        {"cube": ON, "beavers": ON},
        {"cube": ON, "layout": "nack"},
        {"layout": "hyper"},
        {"cube": ON, "points": 7, "score0": 3, "score1": 4},
        {"cube": ON, "points": 7, "score0": 6, "score1": 4, "crawford": ON},
    ],
)
def test_single_games_come_back(options: dict[str, OptionValue]) -> None:
    rng = random.Random(12)
    for _ in range(5):
        record = random_game("backgammon", rng, options)
        back = read(exchange.write(record, "mat", ("Ana", "Ben")))
        assert isinstance(back, Games)
        assert plays(back) == plays(Games((record,)))
        settled = GAME.settle_options(dict(record.header.options))
        assert GAME.settle_options(dict(back.games[0].header.options)) == settled
        assert back.names == ("Ana", "Ben")


def test_unlimited_games_come_back_together() -> None:
    rng = random.Random(5)
    games = Games(tuple(random_game("backgammon", rng, {"cube": ON}) for _ in range(4)), NAMES)
    back = read(exchange.write(games, "mat"))
    assert plays(back) == plays(games)
    assert exchange.write(back, "mat").splitlines()[9:] == exchange.write(games, "mat").splitlines()[9:]


def test_a_game_in_progress_comes_back() -> None:
    for most in range(1, 60):
        record = random_game("backgammon", random.Random(77), {"cube": ON}, most=most)
        back = read(exchange.write(record, "mat"))
        assert replayed_game(back.games[0]).table.state.points == replayed_game(record).table.state.points
        assert replayed_game(back.games[0]).roll == replayed_game(record).roll


def test_names_that_the_columns_cannot_hold_stand_in_the_header() -> None:
    record = random_game("backgammon", random.Random(1), {})
    for names in (('A: "b"', "A: \\b"), ("x" * 80, "x" * 80), (":", ";"), ("Game 1", " 5 point match")):
        text = exchange.write(record, "mat", names)
        assert read(text).names == names
        assert max(map(len, text.splitlines())) < 120


def test_a_match_of_another_program_is_read() -> None:
    match = read(MATCH)
    assert isinstance(match, MatchRecord)
    assert match.names == ('Joe "the" Cat', "Ann")
    assert (match.header.terms, match.header.started) == (Terms(5), 1_551_551_700_000)
    (first, _, points), (second, _, dropped) = plays(match)
    assert points == (2, -2)
    assert dropped == (-1, 1)
    assert first[:4] == [(0, "8/5 6/5", "31"), (1, "roll", ""), (1, "24/14", "64"), (0, "double", "")]
    assert first[4:8] == [(1, "take", ""), (0, "24/18(2) 13/7(2)", "66"), (1, "roll", ""), (1, "24/23 6/4", "21")]
    assert first[8:] == [(0, "18/11*", "43"), (1, "roll", ""), (1, "pass", "66")]
    assert second[0] == (1, "13/11 13/8", "52")
    assert second[-3:] == [(0, "13/7 8/7", "61"), (1, "double", ""), (0, "pass", "")]
    assert replay_match(GAME, match)[0].score == (2, 1)
    assert exchange.detect(MATCH) == "mat"
    assert plays(read(exchange.write(match, "mat"))) == plays(match)
    assert plays(read(MATCH.replace("\n", "\r\n"))) == plays(match)


@pytest.mark.parametrize(
    ("old", "new", "line", "key"),
    [
        ("8/5 6/5", "8/5 8/6", 13, "backgammon.no_die"),
        ("8/5 6/5", "8/5", 13, "table.unfinished"),
        ("24/18 18/14", "", 13, "backgammon.may_not_pass"),
        ("31: 8/5", "33: 8/5", 13, "exchange.mat.opening"),
        ("=> 2", "=> 4", 14, "exchange.mat.cube"),
        (" Takes\n", "Beavers => 4\n", 14, "cube.no_beavers"),
        (DOUBLED, "  2)  Takes", 14, "cube.no_offer"),
        (" Takes\n", "21: 6/4 24/23\n", 14, "cube.answer_first"),
        (DOUBLED, "  2)                                      31: 8/4", 14, "exchange.mat.column"),
        ("66: Cannot Move", "66: 8/2", 16, "backgammon.bar_first"),
        ("66: Cannot Move", "66: juggles", 16, "backgammon.unreadable"),
        ("Wins 2 points", "Wins 3 points", 17, "exchange.mat.wins"),
        ("Wins 2 points", "Wins points", 17, "exchange.mat.unreadable"),
        ("      Wins 2 points\n", "", 12, "exchange.mat.unfinished"),
        ("Joe,1712 : 2", "Joe : 1", 20, "exchange.mat.score"),
        (" Joe,1712 : 0 ", " Joe 0", 12, "exchange.mat.unreadable"),
        (" Game 1\n", "; Set Pos=-b----E-C---eE---c-e----B-/0\n Game 1\n", 11, "exchange.mat.set_position"),
        (" Game 1\n", "", 11, "exchange.mat.unreadable"),
        ("13/3(2)", "13/3(2)*", 22, "backgammon.no_hit"),
    ],
)  # fmt: skip
def test_what_does_not_hold_is_refused_with_its_line(old: str, new: str, line: int, key: str) -> None:
    assert old in MATCH
    found = bad_line(MATCH.replace(old, new, 1))
    assert found[1] == key
    assert abs(found[0] - line) <= 1, found


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("Backgammon", "Tapa", "exchange.mat.variation"),
        ('Crawford "On"', 'Crawford "Off"', "exchange.mat.no_crawford"),
        ("5 point match", "5 points", "exchange.mat.no_match"),
        ("5 point match", "99 point match", "match.points"),
    ],
)
def test_a_file_that_is_not_for_us_is_refused(old: str, new: str, key: str) -> None:
    with pytest.raises(RuleError) as caught:
        exchange.read(MATCH.replace(old, new, 1), "mat")
    assert caught.value.key == key


@pytest.mark.parametrize("begun", [" Joe : 0", "; [Site", "  1) 31:"])
def test_a_line_of_spaces_is_read_in_linear_time(begun: str) -> None:
    """Where the spaces were tried one by one in three places, a hundred and fifty of them took 0.2 s."""
    text = f"5 point match\n\n Game 1\n{begun}{' ' * 20_000}"
    with pytest.raises(RuleError):
        exchange.read(text, "mat")


def test_a_match_goes_on_after_its_end_in_no_file() -> None:
    ended = MATCH.replace("5 point", "2 point")
    assert bad_line(ended)[1] == "exchange.mat.over"


def test_points_that_the_match_does_not_need_may_be_left_out() -> None:
    text = MATCH.replace("5 point", "1 point").partition(" Game 2")[0]
    text = text.replace(DOUBLED, "")
    assert plays(read(text.replace("Wins 2 points", "Wins 1 point and the match")))[0][2] == (1, -1)


@pytest.mark.parametrize(("text", "meant"), [("24/14", "24/18/14"), ("24/20* 20/14", "24/20*/14")])
def test_a_play_that_may_mean_two_hits_just_what_is_marked(text: str, meant: str) -> None:
    """The checker may go by 18 or by 20, where a blot stands."""
    state = GAME.decode("XGID=-b----E-C---eE---c-da---B-:0:0:1:64:0:0:0:0:10")
    assert GAME.format(state, read_play(state, text)) == meant


def test_jacoby_is_found_by_the_points_where_no_line_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.matches.DOUBLES", 0)
    rng, reasons = random.Random(3), set()
    for _ in range(12):
        record = random_game("backgammon", rng, {"cube": ON, "jacoby": OFF})
        outcome = replayed_game(record).table.outcome
        assert outcome is not None
        text = exchange.write(record, "mat")
        silent = text.replace('; [Jacoby "Off"]\n', "")
        assert silent != text
        counted = max(outcome.points) > 1
        assert dict(read(silent).games[0].header.options)["jacoby"] == (OFF if counted else ON)
        if counted:
            assert bad_line(text.replace('"Off"', '"On"'))[1] == "exchange.mat.wins"
            reasons.add(outcome.reason)
    assert {"end.gammon", "end.resigned"} <= reasons


def refusal(what: Any) -> str:
    with pytest.raises(RuleError) as caught:
        exchange.write(what, "mat")
    return caught.value.key


def game(*entries: Entry, **header: Any) -> Record:
    return Record(Header("backgammon", 1, "g1", STARTED, **header), entries)


OPENING = Entry(0, Kind.CHANCE, -1, "31")
DRAWN = (OPENING, Entry(1, Kind.OFFER, 0, "draw"), Entry(2, Kind.ACCEPT, 1, "draw"))
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def late() -> MatchRecord:
    """Returns a match that its second player has lost on time."""
    options: tuple[tuple[str, OptionValue], ...] = (("points", 3), ("score0", 0), ("score1", 0), ("crawford", OFF))
    head = Header("backgammon", 1, "m-1", STARTED, options, clock="10m", timeout_policy="loss", match="m", match_game=1)
    table = Table.open(GAME, head).append(OPENING)
    for seat, text, roll in ((0, "8/5 6/5", "64"), (1, "24/14", "21"), (0, "6/4 24/23", "62"), (1, "14/6", "54")):
        table = table.play(seat, text, 10).append(Entry(10, Kind.CHANCE, -1, roll))
    table = table.play(0, "13/8 13/9", 20).append(Entry(20, Kind.CHANCE, -1, "65"))
    table = table.time_out(20 + 600_000 + LAG)
    header = MatchHeader("m", "backgammon", 1, STARTED, Terms(3), clock="10m", timeout_policy="loss")
    result = Match(header).add(table).result
    assert result is not None
    assert result.reason == "match.forfeited"
    return MatchRecord(header, (table.record,))


def adjudicated(result: Any, why: str = "decision") -> MatchRecord:
    """Returns the same match, decided from outside before its second turn."""
    match = late()
    (played,) = match.games
    table = Table.replay(GAME, replace(played, entries=tuple(played.entries)[:3]))
    return replace(match, games=(table.adjudicate(result, why, 20).record,))


@pytest.mark.parametrize(
    ("what", "key"),
    [
        (game(OPENING, options=(("layout", "longgammon"),)), "exchange.mat.layout"),
        (game(position=START), "exchange.mat.position"),
        (game(*DRAWN), "exchange.mat.draw"),
        (game(OPENING, options=(("points", 5), ("score0", 4))), "exchange.mat.crawford"),
        (Games((game(OPENING), game(OPENING, options=(("cube", ON),)))), "exchange.mat.options"),
        (MatchRecord(MatchHeader("m", "backgammon", 1, STARTED, Terms(best_of=3))), "exchange.mat.series"),
        (exchange.read(START), "exchange.positions"),
        (late(), "exchange.mat.forfeit"),
        (adjudicated("0"), "exchange.mat.forfeit"),
        (adjudicated("1", "forfeit"), "exchange.mat.forfeit"),
        (adjudicated("draw"), "exchange.mat.draw"),
        (adjudicated("void"), "exchange.mat.draw"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_a_mat_file_cannot_say_is_an_error(what: Any, key: str) -> None:
    assert refusal(what) == key
