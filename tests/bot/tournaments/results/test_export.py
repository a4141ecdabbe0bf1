"""Tournaments as files: the engine's own command line reads them, and nothing private is in them."""

from __future__ import annotations

import csv
import io
import json
import sys
import zipfile
from dataclasses import replace
from typing import Any

import pytest
from fakes.snapshots import SWISS, Made, an_arena, names_of

from bot.tournaments.results.export import CSV, FORMATS, JSON, TRF, exported, file_stem, report
from bot.tournaments.results.standing import Section, lines
from bot.tournaments.tournament import PlayerStatus
from engine.__main__ import main
from engine.tournament import trf
from engine.tournament.model import Format, Result, Stage, Ties

ONE = Section(1, 1)


class Input(io.StringIO):
    """Standard input, of which the command reads the bytes."""

    @property
    def buffer(self) -> io.BytesIO:
        return io.BytesIO(self.getvalue().encode())


def run(monkeypatch: pytest.MonkeyPatch, text: str, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["engine", *arguments])
    monkeypatch.setattr(sys, "stdin", Input(text))
    return main()


def a_swiss() -> Made:
    """Plays four of five rounds: with byes, a forfeit, a late entry, and one who has left."""
    made = Made(SWISS, 10)
    made.player(9, byes=frozenset({2}))
    made.player(10, first_round=2)
    made.rounds_of(1, leave=1)
    made.settle(made.running[0], Result.SECOND_WINS_BY_FORFEIT, "forfeit")
    made.rounds_of(2)
    made.player(4, status=PlayerStatus.WITHDRAWN, last_round=3)
    return made.rounds_of(1)


def of(made: Made, form: str) -> dict[str, bytes]:
    return {file.name: file.data for file in exported(made.snapshot, names_of(made.snapshot), form)}


def rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


def test_the_engine_reads_the_report_and_finds_the_same_standings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = a_swiss()
    (data,) = of(made, TRF).values()
    here = lines(made.snapshot, ONE)
    by = ",".join(str(key) for key, _ in here[0].tie_breaks)
    assert run(monkeypatch, data.decode(), "standings", "-", "--by", by) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["id"], one["points"]) for one in found] == [(line.player.seed, line.points) for line in here]
    for one, line in zip(found, here, strict=True):
        assert {str(key): value for key, value in line.tie_breaks} == {
            key: value for key, value in one.items() if key not in {"rank", "id", "points"}
        }


def test_the_engine_pairs_the_next_round_of_the_report_as_we_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = a_swiss()
    (data,) = of(made, TRF).values()
    assert run(monkeypatch, data.decode(), "pair", "-") == 0
    told = [tuple(map(int, line.split())) for line in capsys.readouterr().out.splitlines()[1:]]
    assert made.pair()
    pairs = [one.pairing for one in made.snapshot.pairings if one.pairing.round == 5]
    assert sorted(told) == sorted(
        (one.first, one.second or 0) for one in pairs if one.result in {None, Result.PAIRING_BYE}
    )


def test_a_report_says_who_played_what_and_when() -> None:
    made = a_swiss()
    made.set(plan=replace(made.snapshot.tournament.plan, clock="3d/move"))
    text = report(made.snapshot, ONE, names_of(made.snapshot))
    assert "\n122 3d/move\n" in text
    assert "012 Spring Cup\n042 2027/01/15\n" in text
    assert "\nXXR 5\n" in text
    assert "\nXXZ 4\n" in text
    assert "\n052 2027/03/16\n" in report(a_swiss().finish().snapshot, ONE, names_of(made.snapshot))
    read = trf.read(text)
    assert [player.name for player in read.players][:2] == ["Ana", "Bruno"]
    assert [player.rating for player in read.players][:2] == [1993, 1986]


def test_a_report_has_the_places_of_the_standings() -> None:
    """With their tie-breaks; whoever is equal in all shares a place."""
    made = Made((Stage(Format.ROUND_ROBIN, ties=Ties.SHARED),), 4)
    made.pair()
    for stored in made.running:
        made.settle(stored, Result.DRAW)
    text = report(made.snapshot, ONE, names_of(made.snapshot))
    assert [int(line[85:89]) for line in text.splitlines() if line[:3] == "001"] == [1, 1, 1, 1]
    swiss = a_swiss()
    ranks = {line.player.seed: line.rank for line in lines(swiss.snapshot, ONE)}
    rows = [line for line in report(swiss.snapshot, ONE, names_of(swiss.snapshot)).splitlines() if line[:3] == "001"]
    assert {int(row[4:8]): int(row[85:89]) for row in rows} == ranks


def test_without_a_format_all_that_fit_are_given() -> None:
    swiss = exported(a_swiss().snapshot, names_of(a_swiss().snapshot), None)
    names = [file.name.removeprefix("spring-cup") for file in swiss]
    assert names == ["-standings.csv", "-pairings.csv", ".trf", ".json"]
    arena = exported(an_arena().snapshot, names_of(an_arena().snapshot), None)
    assert [file.name.removeprefix("spring-cup") for file in arena] == ["-standings.csv", "-pairings.csv", ".json"]


def test_a_round_robin_is_one_in_the_report_too() -> None:
    made = Made((Stage(Format.ROUND_ROBIN),), 5).rounds_of(2)
    read = trf.read(report(made.snapshot, ONE, names_of(made.snapshot)))
    assert read.is_round_robin
    assert read.rounds == 5


def test_several_sections_are_packed() -> None:
    made = Made((Stage(Format.ROUND_ROBIN, sections=3, qualifiers=1), Stage(Format.SINGLE_ELIMINATION)), 9).finish()
    ((name, data),) = of(made, TRF).items()
    assert name == "spring-cup-trf.zip"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == [f"spring-cup-1-{number}.trf" for number in (1, 2, 3)]
        assert all(len(trf.read(archive.read(one).decode()).players) == 3 for one in archive.namelist())


def test_what_has_no_report_gives_none() -> None:
    assert of(an_arena(), TRF) == {}
    assert len(of(an_arena(), CSV)) == 2
    assert len(of(an_arena(), JSON)) == 1


def test_tables_for_a_spreadsheet() -> None:
    made = a_swiss()
    standings, pairings = (rows(data) for data in of(made, CSV).values())
    here = lines(made.snapshot, ONE)
    assert [int(row["number"]) for row in standings] == [line.player.number for line in here]
    assert [float(row["points"]) for row in standings] == [line.points for line in here]
    assert [float(row["BH"]) for row in standings] == [dict(line.tie_breaks)["BH"] for line in here]  # type: ignore[index]
    assert {row["status"] for row in standings} == {"in", "withdrawn"}
    assert len(pairings) == len(made.snapshot.pairings)
    results = {(row["first points"], row["second points"], row["how"]) for row in pairings}
    assert results >= {("1.0", "0.0", "played"), ("0.0", "1.0", "forfeit"), ("1.0", "", "bye"), ("0.5", "", "bye")}
    assert not [cell for row in pairings for cell in row.values() if "'" in cell]


def test_a_spreadsheet_runs_no_name() -> None:
    made = a_swiss()
    names = {number: f"=HYPERLINK({number})" for number in names_of(made.snapshot)}
    for file in exported(made.snapshot, names, CSV):
        table = csv.reader(io.StringIO(file.data.decode("utf-8-sig")))
        assert not [cell for row in table for cell in row if cell.startswith(("=", "+", "-", "@"))]


def test_everything_public_as_json() -> None:
    made = Made((Stage(Format.SWISS, rounds=2, qualifiers=2), Stage(Format.SINGLE_ELIMINATION)), 6).finish()
    (data,) = of(made, JSON).values()
    told: dict[str, Any] = json.loads(data)
    assert told["name"] == "Spring Cup"
    assert [stage["format"] for stage in told["stages"]] == ["swiss", "single_elimination"]
    assert len(told["players"]) == 6
    assert len(told["pairings"]) == len(made.snapshot.pairings)
    assert [one["stage"] for one in told["standings"]] == [1, 2]
    assert told["places"][0]["first"] == 1
    assert told["started"] == "2027-01-15T12:00:00+00:00"


@pytest.mark.parametrize("form", FORMATS)
def test_no_file_has_the_id_of_a_user(form: str) -> None:
    made = a_swiss()
    for player in made.snapshot.players:
        user_id = 77_000_000 + player.number
        made.player(player.number, user_id=-user_id if player.number == 3 else user_id)
    for data in of(made, form).values():
        assert b"7700" not in data


@pytest.mark.parametrize(
    ("name", "stem"),
    [("Spring Cup!", "spring-cup"), ("../../etc", "etc"), ("Torneo de Otoño", "torneo-de-otono"), ("春", "tournament")],
)
def test_names_of_files(name: str, stem: str) -> None:
    assert file_stem(name) == stem


@pytest.mark.parametrize("begins", ["=", "+", "-", "@", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH COMMERCIAL AT}"])
def test_no_name_is_a_formula(begins: str) -> None:
    made = Made(SWISS, 4, seed=1)
    names = dict.fromkeys(names_of(made.snapshot), f"{begins}HYPERLINK(1)")
    for file in exported(made.snapshot, names, CSV):
        for line in csv.reader(io.StringIO(file.data.decode("utf-8-sig"))):
            assert not any(cell.startswith(begins) for cell in line[1:] if "HYPERLINK" in cell)


@pytest.mark.parametrize("legs", [1, 2])
@pytest.mark.parametrize("players", [4, 5, 9])
def test_games_at_once_are_exported_with_the_rounds_of_the_table(players: int, legs: int) -> None:
    """As if the same games had been played round by round."""
    usual = Stage(Format.ROUND_ROBIN, legs=legs, ties=Ties.SHARED)
    together = Made((replace(usual, at_once=True),), players).rounds_of(1, leave=3)
    one_by_one = Made((usual,), players)
    while one_by_one.pair():
        for stored in one_by_one.running:
            same = next(
                one
                for one in together.snapshot.pairings
                if (one.pairing.first, one.pairing.second) == (stored.pairing.first, stored.pairing.second)
            )
            one_by_one.settle(stored, same.result or Result.DRAW)
    open_ones = {one.pairing.players for one in together.running}
    for stored in one_by_one.snapshot.pairings:
        if stored.pairing.players in open_ones:
            again = replace(stored, pairing=replace(stored.pairing, result=None), decided_by="")
            kept = tuple(again if one.id == again.id else one for one in one_by_one.snapshot.pairings)
            one_by_one.snapshot = replace(one_by_one.snapshot, pairings=kept)
    assert of(together, TRF) == of(one_by_one, TRF)
    tables = [of(made, CSV) for made in (together, one_by_one)]
    assert tables[0]["spring-cup-standings.csv"] == tables[1]["spring-cup-standings.csv"]
    listed = [rows(table["spring-cup-pairings.csv"]) for table in tables]
    assert listed[0] == [row for row in listed[1] if row["second"]]
    exported_ = [json.loads(of(made, JSON)["spring-cup.json"]) for made in (together, one_by_one)]
    assert exported_[0]["round"] == exported_[1]["round"] == legs * (players - 1 + players % 2)


def test_rounds_after_games_at_once_follow_those_of_the_table() -> None:
    groups = Stage(Format.ROUND_ROBIN, sections=2, qualifiers=2, at_once=True)
    made = Made((groups, Stage(Format.SINGLE_ELIMINATION)), 8).finish()
    listed = rows(of(made, CSV)["spring-cup-pairings.csv"])
    assert {(row["stage"], row["round"]) for row in listed} >= {("1", "1"), ("1", "3"), ("2", "4"), ("2", "5")}
    assert not {(row["stage"], row["round"]) for row in listed} & {("1", "4"), ("2", "2"), ("2", "3")}
