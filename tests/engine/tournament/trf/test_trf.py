"""FIDE's reports: the columns, what reading forgives, and what it says about a report that it cannot read."""

from dataclasses import replace
from random import Random

import pytest
from fakes.swiss import AnyPairer, Luck, Tournament
from hypothesis import given
from hypothesis import strategies as st

from engine.tournament import trf
from engine.tournament.model import Pairing, Result
from engine.tournament.trf import BLANK, BadReport, Cell, Player, Report

FIRST = "001    1 m GM Ródenas López, Ana                2451 ESP     1234567 1990/02/28  1.5    1"
SMALL = (
    "012 Club\n"
    "001    1      Ana                               1800                             1.0    1     2 w 1\n"
    "001    2      Ben                               1700                             0.0    2     1 b 0\n"
)


def played(seed: int, players: int = 9, rounds: int = 4) -> Tournament:
    chance = Random(seed)
    made = Tournament(chance, players, rounds, Luck(late=0.2, bye=0.1, forfeit=0.2), AnyPairer(chance))
    made.play(rounds)
    return made


def report(made: Tournament) -> Report:
    names = {entrant.id: f"Player {entrant.id}" for entrant in made.entrants}
    return trf.report_of("Club", made.entrants, names, made.pairings, made.rounds)


def test_columns() -> None:
    cells = (Cell(12, "w", "1"), BLANK, Cell(result="H"), Cell(3, "b", "0"))
    player = Player(1, "Ródenas López, Ana", 2451, cells, "m", "GM", "ESP", "1234567", "1990/02/28")
    others = (Player(3, "x" * 50), Player(12, "Two\nlines"))
    lines = trf.write(Report("Club", (player, *others), 7, frozenset({12, 3}), "black")).splitlines()
    assert lines[:6] == ["012 Club", "062 3", "072 1", "XXR 7", "XXC black1", "XXZ 3 12"]
    line = lines[6]
    assert line.startswith(FIRST)
    # columns as FIDE counts them, from 1
    assert line[5 - 1 : 8] == "   1"
    assert line[9] == "m"
    assert line[11 - 1 : 13] == " GM"
    assert line[15 - 1 : 47].strip() == "Ródenas López, Ana"
    assert line[49 - 1 : 52] == "2451"
    assert line[54 - 1 : 56] == "ESP"
    assert line[58 - 1 : 68] == "    1234567"
    assert line[70 - 1 : 79] == "1990/02/28"
    assert line[81 - 1 : 84] == " 1.5"
    assert line[86 - 1 : 89] == "   1"
    assert line[92 - 1 : 99] == "  12 w 1"
    assert line[102 - 1 : 109] == " " * 8
    assert line[112 - 1 : 119] == "0000 - H"
    assert line[122 - 1 : 129] == "   3 b 0"
    assert lines[7][15 - 1 : 47] == "x" * 33
    assert lines[8][15 - 1 : 47].strip() == "Two lines"


def test_equal_players_share_a_place() -> None:
    won, lost = Cell(result="U"), Cell(result="Z")
    players = tuple(Player(rank, f"P{rank}", cells=(won if rank < 3 else lost,)) for rank in (1, 2, 3, 4))

    def places(*given: Player) -> list[int]:
        return [int(line[85:89]) for line in trf.write(Report("Club", given, 1)).splitlines() if line[:3] == "001"]

    assert places(*players) == [1, 1, 3, 3]
    known = [replace(player, place=place) for player, place in zip(players, (2, 1, 3, 3), strict=True)]
    assert places(*known) == [2, 1, 3, 3]


def test_what_is_known_of_a_player_is_read_again() -> None:
    player = Player(1, "Ródenas López, Ana", 2451, (Cell(result="H"),), "w", "WGM", "ESP", "1234567", "1990/02/28")
    assert trf.read(trf.write(Report("Club", (player,), 7))).players == (player,)


@given(st.integers(0, 10_000), st.integers(2, 20))
def test_written_and_read_again(seed: int, players: int) -> None:
    made = played(seed, players)
    written = report(made)
    again = trf.read(trf.write(written))
    assert trf.write(again) == trf.write(written)
    assert (again.name, again.rounds, again.players) == (written.name, written.rounds, written.players)
    entrants, pairings = trf.tournament(again)
    assert [(entrant.id, entrant.rating) for entrant in entrants] == [(e.id, e.rating) for e in made.entrants]

    def told(pairing: Pairing) -> tuple[int, int, int | None, Result | None]:
        return pairing.round, pairing.first, pairing.second, pairing.result

    last = again.paired
    found = {told(pairing) for pairing in pairings if pairing.result is not Result.ZERO_BYE}
    assert found == {told(pairing) for pairing in made.pairings if pairing.round <= last}


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.replace("2 w 1", "2 W 1"),
        lambda text: text.replace("2 w 1", "2 w W").replace("1 b 0", "1 b L"),
        lambda text: text.replace("2 w 1", "2 w w").replace("1 b 0", "1 b 0   "),
        lambda text: text + "\n\n132 26.10.01\n### a comment\n",
    ],
)
def test_reading_forgives(change: object) -> None:
    assert callable(change)
    found = trf.tournament(trf.read(change(SMALL)))[1]
    assert [(pairing.first, pairing.second, pairing.result) for pairing in found] == [(1, 2, Result.FIRST_WINS)]


@pytest.mark.parametrize(
    ("white", "black", "result"),
    [
        ("2 w 0", "1 b 1", Result.SECOND_WINS),
        ("2 w =", "1 b =", Result.DRAW),
        ("2 w D", "1 b D", Result.DRAW),
        ("2 w +", "1 b -", Result.FIRST_WINS_BY_FORFEIT),
        ("2 - -", "1 - +", Result.SECOND_WINS_BY_FORFEIT),
        ("2 w -", "1 b -", Result.BOTH_FORFEIT),
        ("2 w  ", "1 b  ", None),
        ("2 w", "1 b", None),
    ],
)
def test_results(white: str, black: str, result: Result | None) -> None:
    found = trf.tournament(trf.read(SMALL.replace("2 w 1", white).replace("1 b 0", black)))[1]
    assert [(pairing.first, pairing.second, pairing.result) for pairing in found] == [(1, 2, result)]


@pytest.mark.parametrize(
    ("letter", "result"),
    [
        ("U", Result.PAIRING_BYE),
        ("F", Result.PAIRING_BYE),
        ("H", Result.HALF_BYE),
        ("h", Result.HALF_BYE),
        ("Z", Result.ZERO_BYE),
        ("-", Result.ZERO_BYE),
    ],
)
def test_byes(letter: str, result: Result) -> None:
    text = f"{SMALL}001    3 {' ':38} 1600 {' ':26}  0.0    3  0000 - {letter}\n"
    assert trf.tournament(trf.read(text))[1][-1].result is result


def test_absent_from_the_next_round() -> None:
    cell = SMALL.replace("2 w 1", "2 w 1  0000 - H")
    for text in (SMALL + "XXZ 1\n", "XXZ    1,\n" + SMALL, cell, SMALL + "240 H 002    1\n"):
        entrants, pairings = trf.tournament(trf.read(text))
        assert [entrant.byes for entrant in entrants] == [frozenset({2}), frozenset()]
        assert len(pairings) == 1


def test_what_else_is_read() -> None:
    read = trf.read(SMALL + "XXR 9\nXXC black1 rank\n042 2026/03/01\n092 Individual: Round-Robin\n")
    assert (read.rounds, read.initial_color, read.by_line, read.is_round_robin) == (9, "black", True, True)
    assert read.first_day == (2026, 3, 1)
    assert trf.read(SMALL + "142 5\n152 W\n042 28.02.2026").first_day == (2026, 2, 28)
    assert not trf.read(SMALL + "092 Swiss, not a round robin").is_round_robin
    assert trf.read(trf.write(read)) == read


def test_ranks_by_the_order_of_the_lines() -> None:
    lines = SMALL.splitlines()
    entrants, _ = trf.tournament(trf.read("\n".join([lines[0], lines[2], lines[1], "XXC rank"])))
    assert {entrant.id: entrant.seed for entrant in entrants} == {2: 1, 1: 2}


BAD = {
    "": "The report names no player: it needs lines that begin with 001.",
    SMALL + "001    2 Eva": "Line 4: the starting rank 2 is used twice.",
    SMALL + "001 ": "Line 4: columns 5 to 8 must hold a starting rank, and hold ''.",
    SMALL + "001   x3": "Line 4: columns 5 to 8 must hold a starting rank, and hold '  x3'.",
    SMALL.replace("1800", "18.0"): "Line 2: columns 49 to 52 must hold a rating, and hold '18.0'.",
    SMALL.replace("2 w 1", "2 w ="): "Players 1 and 2 do not tell the same about round 1.",
    SMALL.replace("2 w 1", "2 b 1"): "Players 1 and 2 do not tell the same about round 1.",
    SMALL.replace("1 b 0", ""): "Players 1 and 2 do not tell the same about round 1.",
    SMALL.replace("2 w 1", "2 w +"): "Players 1 and 2 do not tell the same about round 1.",
    SMALL.replace("2 w 1", "7 w 1"): "Player 1 meets 7 in round 1, who has no line 001.",
    SMALL.replace("2 w 1", "1 w 1"): "Line 2: round 1 of player 1 cannot be read: '1 w 1'.",
    SMALL.replace("2 w 1", "2 - 1"): "Line 2: round 1 of player 1 cannot be read: '2 - 1'.",
    SMALL.replace("2 w 1", "2 w ?"): "Line 2: round 1 of player 1 cannot be read: '2 w ?'.",
    SMALL.replace("2 w 1", "0 w U"): "Line 2: round 1 of player 1 cannot be read: '0 w U'.",
    SMALL.replace("2 w 1", "0 - 1"): "Line 2: round 1 of player 1 cannot be read: '0 - 1'.",
    SMALL.replace("2 w 1", "2w1"): "Line 2: round 1 of player 1 cannot be read: '2w1'.",
    SMALL.replace("   2 w 1", "   2 w 1 1"): "Line 2: round 1 of player 1 cannot be read: '2 w 1 1'.",
    SMALL + "XXR": "Line 4: XXR needs one number of rounds from 1 to 99.",
    SMALL + "XXR 0": "Line 4: XXR needs one number of rounds from 1 to 99.",
    SMALL + "XXR five": "Line 4: 'five' must be numbers.",
    SMALL + "XXZ 3": "XXZ names player 3, who has no line 001.",
    SMALL + "XXZ Ana": "Line 4: 'Ana' must be numbers.",
    SMALL + "240 Q 002    1": "Line 4: a bye is F, H or Z, not 'Q'.",
    SMALL + "240 H": "Line 4: 240 needs a round from 1 to 99 and starting ranks.",
    SMALL + "240 H 123456 1": "Line 4: 240 needs a round from 1 to 99 and starting ranks.",
    SMALL + "XXR 1234567": "Line 4: '1234567' must be numbers.",
    SMALL + "BBW 3.0": "Line 4: only 1 point for a win and a half for a draw are supported.",
    SMALL + "XXS W=3.0 D=1.0": "Line 4: only 1 point for a win and a half for a draw are supported.",
}


@pytest.mark.parametrize(("text", "message"), BAD.items())
def test_bad_reports(text: str, message: str) -> None:
    with pytest.raises(BadReport) as raised:
        trf.read(text)
    assert str(raised.value) == message


@given(st.text("001 XRZwb=+-HUF\n\t2éx", max_size=200), st.integers(0, 200))
def test_no_text_breaks_the_reader(text: str, at: int) -> None:
    try:
        read = trf.read(SMALL[:at] + text + SMALL[at:])
    except BadReport:
        return
    trf.tournament(read)
    trf.write(read)
