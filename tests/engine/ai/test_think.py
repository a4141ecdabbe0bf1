"""The command line over a pipe, as another program asks it."""

import io
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from engine import __main__ as command_line
from engine.core.game import CHANCE, Game
from engine.core.search import walk
from engine.registry import GAMES, find

START = {
    "backgammon": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
    "abak": "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:1:31:0:0:0:0:10",
}
LINES = 120


def think(lines: list[str], *arguments: str) -> tuple[list[dict[str, Any]], int]:
    """Runs the command, and returns its answers to all lines, and the exit status."""
    patient = ("--seconds", "60")  # so that no search ends early on a busy machine
    command = [sys.executable, "-m", "engine", "think", *patient, *arguments]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False)
    assert not done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode


def rolled(game: Game[Any, Any], seed: int) -> Iterator[str]:
    """Positions of random games with dice to play."""
    luck = random.Random(seed)
    while True:
        start = game.start(game.settle_options({}))
        before = CHANCE
        for state, _ in walk(game, start, lambda steps, weights: luck.choices(steps, weights)[0]):
            actor = game.to_act(state)
            if before == CHANCE != actor:
                yield game.encode(state)
            before = actor


@pytest.mark.parametrize("key", START)
def test_one_process_answers_many_positions_in_order(key: str) -> None:
    game = find(key)
    asked = [text for text, _ in zip(rolled(game, 1), range(LINES), strict=False)]
    answers, status = think(asked, key, "--level", "2", "--top", "3")
    assert status == 0
    assert [answer["position"] for answer in answers] == asked
    for answer in answers:
        state = game.decode(answer["position"])
        moves = {game.format(state, steps) for steps, _ in game.turns(state)}
        assert answer["move"] in moves
        assert 1 <= len(answer["moves"]) <= 3
        assert all(each["move"] in moves for each in answer["moves"])
        assert answer["value"] <= answer["moves"][0]["value"]


def test_each_answer_is_written_at_once() -> None:
    command = [sys.executable, "-m", "engine", "think", "backgammon"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(f"{START['backgammon']}\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["position"] == START["backgammon"]
        process.stdin.close()
    assert process.returncode == 0


def test_cube_actions_are_answered_by_their_names() -> None:
    board = START["backgammon"].partition(":")[0]
    lines = [f"{board}:0:0:1:00:0:0:0:0:10", f"{board}:0:0:1:D:0:0:2:0:10", f"{board}:1:-1:1:00:0:0:0:0:10"]
    (double, take, neither), _ = think(lines, "backgammon", "--level", "5")
    assert double["double"] is False
    assert double["move"] == "roll"
    assert take["take"] is True
    assert take["beaver"] is (take["value"] > 0)
    assert neither == {"position": lines[2], "over": None, "moves": [], "to_roll": True}


def test_a_bad_position_gets_an_error_and_the_run_goes_on() -> None:
    over = "XGID=-A------------------------:0:0:1:00:0:0:0:0:10"
    answers, status = think(["nonsense", "", over, START["backgammon"]], "backgammon")
    assert status == 1
    assert answers[0]["error"]["key"] == "backgammon.position"
    assert answers[1] == {"position": over, "over": {"points": [-1, 1], "reason": "end.single"}, "moves": []}
    assert answers[2]["move"]


def test_an_unknown_option_ends_the_run() -> None:
    command = [sys.executable, "-m", "engine", "think", "backgammon", "--option", "layout=round"]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "option.choice" in done.stderr


def asks(game: str, position: str, **more: Any) -> str:
    return json.dumps({"game": game, "position": position, **more})


def starts() -> dict[str, str]:
    """Returns a position of each game in which a seat acts."""
    boards = {key: game.encode(game.start(game.settle_options({}))) for key, game in GAMES.items()}
    return boards | START


def test_without_a_game_each_line_names_one() -> None:
    boards = starts()
    assert boards.keys() == GAMES.keys()
    answers, status = think([asks(key, text, version=1, level=1, seed=key) for key, text in boards.items()])
    assert status == 0
    assert [answer["position"] for answer in answers] == [*boards.values()]
    for key, answer in zip(boards, answers, strict=True):
        (alone,), _ = think([boards[key]], key, "--level", "1", "--seed", key)
        assert answer == alone


def test_a_line_gives_the_options_of_its_game() -> None:
    before_roll = START["backgammon"].replace(":31:", ":00:")
    lines = [asks("backgammon", before_roll, options={"cube": cube}) for cube in ("on", "off")]
    (with_cube, without), _ = think([*lines])
    assert with_cube["double"] is False
    assert without == {"position": before_roll, "over": None, "moves": [], "to_roll": True}


@pytest.mark.parametrize(
    ("line", "key"),
    [
        (b"\xff\xfe", "think.unreadable"),
        (b"[1]", "think.unreadable"),
        (b"[" * 100_000, "think.unreadable"),
        (b'{"game": "apb"}', "think.field"),
        (asks("apb", "", colour=1).encode(), "think.field"),
        (asks("apb", "", level=9).encode(), "think.field"),
        (asks("apb", "", options={"a": [1]}).encode(), "think.field"),
        (asks("apb", "", earlier=[1]).encode(), "think.field"),
        (asks("\ud800", "").encode(), "game.unknown"),
        (asks("apb", "\ud800").encode(), "apb.position_fields"),
        (asks("apb", "", version=99).encode(), "game.unknown"),
        (asks("abalone", "", options={"target": 0}).encode(), "option.range"),
        (asks("abalone", starts()["abalone"], earlier=["nonsense"]).encode(), "abalone.fields"),
    ],
)
def test_no_line_ends_the_run(
    line: bytes, key: str, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    good = asks("apb", starts()["apb"], level=1).encode()
    monkeypatch.setattr(sys, "argv", ["engine", "think"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line + b"\n" + good), encoding="utf-8"))
    assert command_line.main() == 1
    bad, fine = map(json.loads, capsysbinary.readouterr().out.splitlines())
    assert bad["error"]["key"] == key
    assert fine["move"]
