"""``python -m engine pair`` and ``python -m engine standings``."""

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.tournament.formats.pairer import DutchPairer
from engine.tournament.model import Entrant, Pairing, Result

REPORTS = Path(__file__).with_name("reports.txt.gz")
THREE = (
    "012 Club\nXXR 3\n"
    "001    1      Ana                               1800                             1.0    1     2 w 1  0000 - U\n"
    "001    2      Ben                               1700                             1.0    2     1 b 0     3 w 1\n"
    "001    3      Eva                               1600                             1.0    3  0000 - U     2 b 0\n"
)


class Input(io.StringIO):
    """Standard input, of which the command reads the bytes."""

    @property
    def buffer(self) -> io.BytesIO:
        return io.BytesIO(self.getvalue().encode())


def run(monkeypatch: pytest.MonkeyPatch, text: str, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["engine", *arguments])
    monkeypatch.setattr(sys, "stdin", Input(text))
    return main()


def saved() -> list[tuple[str, list[str]]]:
    """Returns each report, and the pairs that the library gives to it."""
    parts = gzip.decompress(REPORTS.read_bytes()).decode().split("=== report ")[1:]
    halves = (part.partition("\n")[2].partition("--- next round\n") for part in parts)
    return [(text, pairs.splitlines()) for text, _, pairs in halves]


@pytest.mark.parametrize(("every", "seats"), [(5, 5), pytest.param(1, 18, marks=pytest.mark.thorough)])
def test_pairs_like_the_library(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], every: int, seats: int
) -> None:
    """The same pairs in all reports. Few have the other seats: FIDE goes by the points there, see the next test."""
    reports, turned = saved(), 0
    assert len(reports) == 100
    for text, pairs in reports[::every]:
        assert run(monkeypatch, text, "pair") == 0, text
        count, *lines = capsys.readouterr().out.splitlines()
        assert sorted(sorted(line.split()) for line in lines) == sorted(sorted(pair.split()) for pair in pairs), text
        assert int(count) == len(pairs)
        turned += len(set(lines) - set(pairs))
    assert turned == seats


def test_the_one_with_more_points_has_the_wished_color() -> None:
    """Both wish white just as much and have had the same colours. 5 has more points, and 1 the better number."""
    played = [
        Pairing(1, 1, 1, 5, 9, result=Result.FIRST_WINS),
        Pairing(1, 1, 2, 1, 8, result=Result.FIRST_WINS),
        Pairing(1, 2, 1, 10, 5, result=Result.DRAW),
        Pairing(1, 2, 2, 7, 1, result=Result.FIRST_WINS),
    ]
    two = [Entrant(1, 1), Entrant(5, 5)]
    assert DutchPairer().pair(two, played, 3, 4) == [(5, 1)]


def test_the_reports_hold_everything() -> None:
    reports = [text for text, _ in saved()]
    players = [text.count("\n001") for text in reports]
    assert min(players) == 8
    assert max(players) == 64
    for mark in (" U", " H", " Z", " +", " -", "\nXXZ"):
        assert sum(mark in text for text in reports) >= 20
    assert sum(pairs[-1].endswith(" 0") or any(line.endswith(" 0") for line in pairs) for _, pairs in saved()) >= 20


def test_the_form_of_the_answers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    fresh = "XXR 5\n" + "".join(f"001 {rank:>4}\n" for rank in range(1, 6))
    assert run(monkeypatch, fresh, "pair") == 0
    assert capsys.readouterr().out == "3\n1 3\n4 2\n5 0\n"
    assert run(monkeypatch, fresh + "XXC black1\nXXZ 2", "pair") == 0
    assert capsys.readouterr().out == "2\n4 1\n3 5\n"
    assert run(monkeypatch, THREE, "standings", "--by", "bh,DE,WIN") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [list(line) for line in lines] == [["rank", "id", "points", "BH", "DE", "WIN"]] * 3
    assert [(line["rank"], line["id"], line["points"]) for line in lines] == [(1, 1, 2.0), (2, 2, 1.0), (3, 3, 1.0)]


def test_a_file_and_standard_input_are_read_alike(tmp_path: Path) -> None:
    path = tmp_path / "club.trf"
    path.write_bytes(THREE.encode("cp1252"))
    command = [sys.executable, "-m", "engine", "pair"]
    by_name = subprocess.run([*command, str(path)], capture_output=True, text=True, check=True)
    by_input = subprocess.run(command, input=THREE, capture_output=True, text=True, check=True)
    assert by_name.stdout == by_input.stdout == "2\n3 1\n2 0\n"
    assert by_name.stderr == ""


@pytest.mark.parametrize(
    ("text", "arguments", "status", "message"),
    [
        (THREE.replace("XXR 3", "XXR 2"), ["pair"], 1, "All 2 rounds have been paired."),
        ("XXR 3\n001    1  ", ["pair"], 0, ""),
        ("XXR 3\nXXZ 1\n001    1  ", ["pair"], 1, "Nobody is there to play the round."),
        (
            THREE.replace("     3 w 1", "").replace("     2 b 0\n", "\n") + "XXZ 2 3\n",
            ["pair"],
            1,
            "Everybody has already had a point without playing, so nobody can have the bye.",
        ),
        (
            THREE.splitlines(keepends=True)[2].replace("  0000 - U", "").join(["XXR 2\n", ""])
            + THREE.splitlines(keepends=True)[3].replace("     3 w 1", ""),
            ["pair"],
            1,
            "The players who are left cannot all be paired: too many have already met.",
        ),
        ("", ["pair"], 2, "The report names no player: it needs lines that begin with 001."),
        ("", ["standings"], 2, "The report names no player: it needs lines that begin with 001."),
        (
            THREE.replace("XXR 3\n", ""),
            ["pair"],
            2,
            "The report does not say how many rounds there are: add a line XXR with their number.",
        ),
        (
            THREE.replace("3 w 1", "3 w  ").replace("2 b 0", "2 b  "),
            ["pair"],
            2,
            "Round 2 has a pairing without a result.",
        ),
        (THREE + "XXP 1 2\n", ["pair"], 2, "The report asks for forbidden pairs, which is not supported."),
        (THREE + "XXA    1 1.0\n", ["pair"], 2, "The report asks for acceleration, which is not supported."),
        (THREE.replace("2 w 1", "2 w 0"), ["standings"], 2, "Players 1 and 2 do not tell the same about round 1."),
    ],
)
def test_what_cannot_be_answered(
    text: str,
    arguments: list[str],
    status: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(monkeypatch, text, *arguments) == status
    assert capsys.readouterr().err == (message and message + "\n")


def test_an_unknown_tie_break(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        run(monkeypatch, THREE, "standings", "--by", "BH,ELO")
    assert left.value.code == 2
    assert "there is no tie-break 'ELO'; there are BH, MBH, SB, DE, WIN, PS" in capsys.readouterr().err
