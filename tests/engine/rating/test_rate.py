"""``python -m engine rate``: lists of games in periods."""

import io
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.__main__ import main
from engine.rating.glicko import Rating, Result, grown, update
from engine.rating.periods import Game, Rated, rate, read_games, read_ratings, written

EXAMPLE = "player 1500 200 0.06\nfirst 1400 30 0.06\nsecond 1550 100 0.06\nthird,1700,300,0.06\n"
NAMES = ("ana", "ben", "eva", "leo")
games = st.builds(
    Game,
    period=st.integers(1, 4),
    player=st.sampled_from(NAMES[:2]),
    opponent=st.sampled_from(NAMES[2:]),
    score=st.sampled_from((0.0, 0.5, 1.0)),
)


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, *arguments: str) -> list[str]:
    monkeypatch.setattr(sys, "argv", ["engine", "rate", *arguments])
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert main() == 0
    return capsys.readouterr().out.splitlines()


def refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, arguments: Sequence[str] = ()
) -> str:
    monkeypatch.setattr(sys, "argv", ["engine", "rate", *arguments])
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert main() == 2
    said = capsys.readouterr()
    assert not said.out
    return said.err.strip()


def test_the_worked_example(tmp_path: Path) -> None:
    initial = tmp_path / "initial.txt"
    initial.write_text(EXAMPLE, encoding="utf-8")
    games = "1,player,first,1\n1, third, player, 1\n\n1,second,player,1 #\n"
    text = f"# Glickman's example\nperiod,player,opponent,score\n{games}"
    command = [sys.executable, "-m", "engine", "rate", "--initial", str(initial), "--tau", "0.5"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    lines = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert lines["player"] == "player 1464.050671 151.516524 0.05999598 3"
    assert lines["first"].endswith(" 1")
    assert len(lines) == 4


def test_a_line_counts_for_both_players(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    new = Rating()
    won, lost = (update(new, (Result(new, score),)) for score in (1, 0))
    lines = run(monkeypatch, capsys, "1,ana,ben,1\n")
    assert lines == list(written({"ana": Rated(won, 1), "ben": Rated(lost, 1)}))
    assert lines == run(monkeypatch, capsys, "1,ben,ana,0\n")


def test_options_change_the_start_and_tau(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    start = Rating(1200, 100, 0.05)
    won = update(start, (Result(start, 1),), tau=1.2)
    assert run(monkeypatch, capsys, "1,a,b,1.0\n", "--start", "1200/100/0.05", "--tau", "1.2")[0].startswith(
        f"a {won.rating:.6f} {won.deviation:.6f} {won.volatility:.8f}"
    )
    assert run(monkeypatch, capsys, "", "--start", "1600") == []


def test_players_without_games_only_grow(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    initial = tmp_path / "initial.txt"
    initial.write_text("idle 1800 50 0.06\n", encoding="utf-8")
    lines = run(monkeypatch, capsys, "1,a,b,1\n2,a,b,0.5\n7,a,b,0\n", "--initial", str(initial))
    idle = Rating(1800, 50, 0.06)
    for _ in range(3):
        idle = grown(idle, 1)
    assert lines[0] == f"idle 1800.000000 {idle.deviation:.6f} 0.06000000 0"


@given(st.lists(games, max_size=12).flatmap(lambda few: st.tuples(st.just(few), st.permutations(few))))
def test_the_order_of_lines_does_not_matter(orders: tuple[list[Game], list[Game]]) -> None:
    assert rate(orders[0]) == rate(orders[1])


@given(st.lists(games, max_size=12))
def test_naming_the_other_side_first_changes_nothing(listed: list[Game]) -> None:
    turned = [Game(game.period, game.opponent, game.player, 1 - game.score) for game in listed]
    assert rate(listed) == rate(turned)
    assert sum(one.games for one in rate(listed).values()) == 2 * len(listed)


@given(st.lists(games, max_size=12), st.integers(1, 4))
def test_a_list_may_be_rated_in_parts(listed: list[Game], until: int) -> None:
    first = rate(game for game in listed if game.period <= until)
    assert rate((game for game in listed if game.period > until), first) == rate(listed)


def test_what_is_printed_can_be_read_again() -> None:
    rated = rate(read_games(["1,a,b,1", "2,b,c,0.5"]))
    assert list(written(read_ratings(written(rated)))) == list(written(rated))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("1,a,b", "3 columns"),
        ("1,a,b,1,2", "5 columns"),
        ("1,a,b,2", "score"),
        ("1,a,b,0.7", "score"),
        ("1,a,b,nan", "score"),
        ("1,a,b,won", "score is not a number"),
        ("x,a,b,1", "period"),
        ("-1,a,b,1", "period"),
        ("1,a,a,1", "themselves"),
        ("1,,b,1", "name"),
        ("1,a b,c,1", "name"),
    ],
)
def test_a_wrong_line_is_named(
    line: str, problem: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(monkeypatch, capsys, f"# a comment\n1,a,b,1\n{line}\n")
    assert said.startswith("line 3: ")
    assert problem in said


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("a 1500 350", "columns"),
        ("a 1500 350 0.06 1 2", "columns"),
        ("a x 350 0.06", "rating is not a number"),
        ("a 1500 0 0.06", "positive"),
        ("a nan 350 0.06", "positive"),
        ("a 1500 350 0.06 x", "games"),
        ("b 1500 350 0.06", "twice"),
    ],
)
def test_a_wrong_line_of_the_initial_list_is_named(
    line: str, problem: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    initial = tmp_path / "initial.txt"
    initial.write_text(f"b 1500 350 0.06\n{line}\n", encoding="utf-8")
    said = refused(monkeypatch, capsys, "1,a,b,1\n", ["--initial", str(initial)])
    assert f"{initial}: line 2: " in said
    assert problem in said


def test_a_missing_file_and_wrong_options_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert "none.txt" in refused(monkeypatch, capsys, "", ["--initial", str(tmp_path / "none.txt")])
    for arguments in (
        ["--tau", "0"],
        ["--tau", "nan"],
        ["--start", "1/2/3/4"],
        ["--start", "1500/0/1"],
        ["--start", "x"],
    ):
        monkeypatch.setattr(sys, "argv", ["engine", "rate", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 2
