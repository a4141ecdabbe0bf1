"""The commands that measure the machine play as many games as asked, the same ones for a seed, and tell of them."""

import random
import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import pytest

from benchmarks import abalone, levels, safe_random
from benchmarks.gnubg import PROGRAM
from engine.games.abalone import State
from engine.games.abalone.moves import after, plays
from training import temperatures

Run: TypeAlias = Callable[..., list[str]]
SHARE = r"(\d+\.\d) ± (?:nan|\d+\.\d) %"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command with arguments, and returns the lines that it prints."""

    def run(command: ModuleType, *options: str) -> list[str]:
        monkeypatch.setattr(sys, "argv", [command.__name__, *options])
        command.main()
        return capsys.readouterr().out.splitlines()

    return run


def without_times(lines: list[str]) -> list[str]:
    return [re.sub(r"[\d., ]+ ms", "ms", line) for line in lines]


def test_games_between_levels_are_the_same_for_a_seed_and_are_kept(run: Run, tmp_path: Path) -> None:
    asked = ["backgammon", "--games", "4", "--levels", "0-1", "1-2"]
    first = run(levels, *asked, "--file", str(tmp_path / "kept"))
    assert re.fullmatch(rf"\| newcomer and 1 \| 4 \| {SHARE} \| 0 \| 0 \|", first[2])
    assert re.fullmatch(rf"\| 1 and 2 \| 4 \| {SHARE} \| 0 \| 0 \|", first[3])
    assert [line.split(" | ")[0] for line in first[7:]] == ["| 1", "| 2"]
    assert without_times(run(levels, *asked)) == without_times(first)
    assert run(levels, *asked, "--file", str(tmp_path / "kept"), "--stop", "-1") == first
    assert without_times(run(levels, *asked, "--seed", "2")) != without_times(first)


def test_drawn_games_and_those_cut_off_are_told_apart() -> None:
    pairs = [{"won": [0.5, 0.5], "cut": 1}, {"won": [1.0, 0.5], "cut": 0}, {"won": [1.0, 0.0], "cut": 0}]
    assert levels.summary(pairs) == ("58.3 ± 16.3 %", 2, 1)
    assert levels.summary(pairs[:1]) == ("50.0 ± nan %", 1, 1)
    assert levels.summary([]) == ("nan ± nan %", 0, 0)


def test_abalone_against_chance(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["chance", "--games", "2", "--level", "1"]
    assert run(abalone, *asked) == ["100.0 ± nan % of 2 games, 0 drawn, 0 cut off"]
    monkeypatch.setattr(levels, "LONGEST", 6)
    assert run(abalone, *asked) == ["50.0 ± nan % of 2 games, 0 drawn, 2 cut off"]


def test_the_share_in_abalone_is_the_first_players(capsys: pytest.CaptureFixture[str]) -> None:
    """Of two players by chance, the one that ejects where it can wins."""
    luck = random.Random(1)

    def chance(state: State, _: frozenset[State]) -> State:
        return after(state, luck.choice(plays(state)))

    def pushes(state: State, _: frozenset[State]) -> State:
        found = plays(state)
        return after(state, luck.choice([play for play in found if play.ejects] or found))

    for first, second, share in ((pushes, chance, 100), (chance, pushes, 0)):
        abalone.compare(first, second, 2, float("inf"))
        assert capsys.readouterr().out.startswith(f"{share}.0 ± nan % of 2 games")


def test_the_depth_of_a_search_in_abalone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abalone, "DEEPEST", 4)
    rows = [line.split(" | ") for line in run(abalone, "depth", "--seconds", "100")[2:]]
    plain = [row for row in rows if row[0] == "| Search"]
    assert [row[1] for row in plain] == ["2", "3"]
    assert 0 < int(plain[0][2]) < int(plain[1][2])


def test_games_against_safe_chance(run: Run) -> None:
    asked = ["--games", "2", "--level", "3"]
    (line,) = run(safe_random, *asked)
    assert re.fullmatch(rf"level 3: {SHARE} of 2 games, \d drawn, 0 cut off", line)
    assert run(safe_random, *asked) == [line]
    assert run(safe_random, "--games", "0") == ["level 8: nan ± nan % of 0 games, 0 drawn, 0 cut off"]


def test_games_against_the_colours_alone(run: Run) -> None:
    pytest.importorskip("numpy", reason="the networks of Abak need numpy")
    colours = import_module("benchmarks.colours")
    (row,) = run(colours, "--games", "2", "--levels", "1")[2:]
    assert re.match(r"\| 1 \| 2 \| [+-]\d\.\d{3} ± nan \| (0|50|100)\.0 % \| ", row)
    assert without_times(run(colours, "--games", "2", "--levels", "1")[2:]) == without_times([row])


@pytest.mark.skipif(not Path(PROGRAM).exists(), reason="GNU Backgammon is not installed")
@pytest.mark.parametrize(
    ("command", "asked", "row"),
    [
        ("gnubg", ["--games", "2"], r"\| 5 \| 2 \| [+-]\d\.\d{3} ± nan \| .*"),
        ("mistakes", ["--decisions", "2"], r"\| GNU 0-ply \| 2 \| \d+\.\d\d ± \d+\.\d\d \|"),
        ("cube", ["--decisions", "2"], rf"\| 5 \| all \| 2 \| {SHARE} \| \d\.\d{{4}} ± (nan|\d\.\d{{4}}) \|"),
    ],
    ids=["gnubg", "mistakes", "cube"],
)
def test_comparisons_with_gnu_backgammon(command: str, asked: list[str], row: str, run: Run) -> None:
    lines = run(import_module(f"benchmarks.{command}"), *asked, "--levels", "5")
    assert lines[0].startswith("GNU Backgammon ")
    assert sum(re.fullmatch(row, line) is not None for line in lines) == 1, lines


@pytest.mark.parametrize(("won", "higher"), [(1.0, True), (0.0, False)])
def test_a_level_that_wins_too_much_gets_a_higher_temperature(
    won: float, *, higher: bool, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[str] = []

    def pair(_: Any, opponent: Any, machine: Any, seed: str) -> levels.Pair:
        assert (opponent.player.level, machine.player.level) == (1, 2)
        seeds.append(seed)
        return {"won": [won, won]}

    monkeypatch.setattr(temperatures, "pair_of_games", pair)
    lines = run(temperatures, "backgammon", "2", "1", "--games", "40", "--start", "0.1")
    found = [float(line.split()[2].rstrip(",")) for line in lines]
    assert len(set(seeds)) == 20
    assert found == sorted(found, reverse=not higher)
    assert all((one > 0.1) is higher for one in found)
    assert lines[0].startswith("20 games: ")
    assert lines[1].endswith(f"with a share of {100 * won:.0f} %")


def test_the_temperature_of_a_level_that_scores_as_it_should_stays(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temperatures, "pair_of_games", lambda *_: {"won": [0.5, 0.5]})
    asked = ["backgammon", "1", "0", "--games", "20", "--share", "0.5", "--start", "0.1"]
    assert run(temperatures, *asked) == ["20 games: 0.1000, with a share of 50 %"]
