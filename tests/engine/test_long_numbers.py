"""Numbers of thousands of digits, which Python refuses to read, are refused like any other text without sense."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from harness.matches import NAMES, random_game, random_match

from engine import __main__ as command_line
from engine import exchange
from engine.core import record
from engine.core.clock import TimeControl
from engine.core.errors import CorruptRecord, RuleError
from engine.core.hours import Hours
from engine.core.record import load
from engine.exchange import FORMATS
from engine.kits.cube import ON
from engine.registry import GAMES

LONG = ("9" * 5_000, "9" * 15)
NUMBER = re.compile(r"\d+")
MOST = 4
"""The most numbers of a text that are replaced."""


def swollen(text: str) -> Iterator[str]:
    """Yields the text with each of some numbers in it replaced by a long one."""
    spans = [found.span() for found in NUMBER.finditer(text)]
    for begin, end in spans[:: max(1, len(spans) // MOST)]:
        for number in LONG:
            yield text[:begin] + number + text[end:]


def read(reader: Callable[[str], Any], text: str) -> None:
    """Reads or refuses it; anything else fails the test."""
    with contextlib.suppress(RuleError, CorruptRecord):
        reader(text)


def played(key: str) -> Any:
    dice = key in {"backgammon", "abak"}
    return random_game(key, random.Random(3), {"cube": ON} if dice else {}, most=12)


@pytest.mark.parametrize("key", GAMES)
def test_positions_and_moves(key: str) -> None:
    game = GAMES[key]
    state = game.start(game.settle_options({}))
    for text in swollen(game.encode(state)):
        read(game.decode, text)
    moves = ["24/20(2)", "e4-d5 5", "c3d4 2", "13/10+12/10", "31: 8/5", "bar/22*(3)"]
    moves += [game.format(state, (step,)) for step in list(game.legal(state))[:3]]
    for move in moves:
        for text in swollen(move):
            read(lambda typed: game.parse(state, typed), text)
    for option in game.options:
        for number in LONG:
            read(lambda value, key=option.key: game.settle_options({key: value}), number)


@pytest.mark.parametrize("form", FORMATS)
def test_files(form: str) -> None:
    texts = [exchange.write(played(key), form, NAMES) for key in FORMATS[form].games or tuple(GAMES)]
    if form in {"mat", "record", "json", "xgid"}:
        texts.append(exchange.write(random_match(random.Random(3), 2), form))
    for one in texts:
        for text in swollen(one):
            read(exchange.read, text)
            read(lambda file: exchange.read(file, form), text)


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        (TimeControl.parse, "3d+12h"),
        (TimeControl.parse, "10m+5s"),
        (Hours.parse, "60-420 6,7 120 5:60"),
        (load, "format 1"),
    ],
)
def test_times(reader: Callable[[str], Any], text: str) -> None:
    for one in swollen(text):
        read(reader, one)


DIGITS = LONG[0]
XGID = f"XGID=-b----E-C---eE---c-e----B-:{DIGITS}:0:1:31:0:0:0:0:10"
REPORT = (
    "012 Cup\nXXR 3\n"
    "001    1      Ana                               1700                                         1.0    1"
    "     2 w 1  \n"
    "001    2      Ben                               1600                                         0.0    2"
    "     1 b 0  \n"
)
SHOWN = 100
"""Characters of a word that an error may repeat."""
REFUSED = [
    ("games", [DIGITS], ""),
    ("start", [DIGITS], ""),
    ("start", ["abalone", "--layout", DIGITS], ""),
    ("legal", [DIGITS], ""),
    ("play", [DIGITS, "x"], ""),
    ("play", ["backgammon", XGID, "8/5 6/5"], ""),
    ("play", ["backgammon", DIGITS], ""),
    ("play", ["abalone", "start", DIGITS], ""),
    ("perft", ["abalone", DIGITS], ""),
    ("perft", [DIGITS, "1"], ""),
    ("perft", ["backgammon", "1", "--position", XGID], ""),
    ("think", [DIGITS], ""),
    ("think", ["backgammon", "--level", DIGITS], ""),
    ("think", ["backgammon", "--top", DIGITS], ""),
    ("think", ["backgammon", "--seconds", DIGITS], ""),
    ("think", ["backgammon", "--option", f"layout={DIGITS}"], ""),
    ("verify", [DIGITS], ""),
    ("rate", ["--tau", DIGITS], ""),
    ("rate", ["--tau", f"x{DIGITS}"], ""),
    ("rate", ["--start", f"x{DIGITS}"], ""),
    ("rate", ["--start", f"1/1/1/{DIGITS}"], ""),
    ("rate", ["--start", DIGITS], "1,a,b,1\n"),
    ("rate", [], f"{DIGITS},a,b,1\n"),
    ("rate", [], f"x{DIGITS},a,b,1\n"),
    ("rate", [], f"1,a,b,{DIGITS}\n"),
    ("rate", [], f"1,{DIGITS},{DIGITS},1\n"),
    ("convert", [DIGITS, "--to", "json"], ""),
    ("pair", [DIGITS], ""),
    ("standings", [DIGITS], ""),
    ("standings", ["--by", DIGITS], ""),
]
"""Subcommand, arguments and standard input with a number that nobody can mean."""
TOO_LONG_LINES = [
    ("rate", "a 1500 350 {}", "x", ["rate", "--initial"]),
    ("rate", "a 1500 350 0.06 {}", "x", ["rate", "--initial"]),
    ("pair", REPORT.replace("XXR 3", "XXR {}"), "3", ["pair"]),
    ("standings", REPORT.replace("012 Cup", "132 {}"), "3", ["standings"]),
]
"""Files with a place for a number: what is before it makes a number of no number."""


def run(arguments: list[str], given: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Runs the command line, and returns its exit status."""
    monkeypatch.setattr(sys, "argv", ["engine", *arguments])
    monkeypatch.setattr(sys, "stdin", io.StringIO(given))
    try:
        return command_line.main()
    except SystemExit as ended:
        return int(ended.code or 0)


def assert_one_sentence(said: str) -> None:
    """Checks for one line after the usage, without the length of what was given and Python's advice."""
    *usage, sentence = said.splitlines()
    assert all(line.startswith(("usage:", " ")) for line in usage)
    assert sentence
    assert len(sentence) < 400
    assert max(map(len, sentence.split())) <= SHOWN + 1
    assert "set_int_max_str_digits" not in said


@pytest.mark.parametrize(("call", "arguments", "given"), REFUSED, ids=lambda part: str(part)[:30])
def test_the_command_line_refuses_in_one_sentence(
    call: str, arguments: list[str], given: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([call, *arguments], given, monkeypatch) == command_line.BAD_INPUT
    assert_one_sentence(capsys.readouterr().err)


def test_every_call_is_among_them() -> None:
    choices = next(action.choices for action in command_line.parser()._actions if action.choices)
    assert set(choices) == {call for call, _, _ in REFUSED}


@pytest.mark.parametrize("cube", LONG)
def test_a_position_among_others_is_refused_on_its_line(
    cube: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["legal", "backgammon"], XGID.replace(DIGITS, cube), monkeypatch) == 1
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["key"] == "xgid.cube"
    assert_one_sentence(error["message"])


def headers() -> Iterator[str]:
    """Yields a record of a game and one of a match, with each number of their headers replaced by a long one."""
    for whole in (record.dump(played("abak")), str(random_match(random.Random(3), 2))):
        head, blank, body = whole.partition("\n\n")
        for line in head.splitlines():
            for found in NUMBER.finditer(line):
                long = line[: found.start()] + DIGITS + line[found.end() :]
                yield head.replace(line, long, 1) + blank + body
                yield head.replace(line, f"{long}x{DIGITS}", 1) + blank + body
                yield head.replace(line, f"{line}\n{DIGITS}", 1) + blank + body


def test_bad_lines_of_a_record_are_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever it is of, an id or a name for example may be as long."""
    path, refused = tmp_path / "game.record", 0
    for text in headers():
        path.write_text(text, encoding="utf-8")
        for arguments in (["verify", str(path)], ["convert", str(path), "--to", "json"]):
            status = run(arguments, "", monkeypatch)
            assert status in {0, command_line.BAD_INPUT}
            said = capsys.readouterr().err
            if status:
                assert_one_sentence(said)
                refused += 1
    assert refused > 10


@pytest.mark.parametrize(("call", "text", "before", "arguments"), TOO_LONG_LINES, ids=lambda part: str(part)[:20])
def test_bad_lines_of_a_list_are_told_in_one_sentence(
    call: str,
    text: str,
    before: str,
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    del call
    path = tmp_path / "list.txt"
    for number in (DIGITS, f"{before}{DIGITS}"):
        path.write_text(text.format(number), encoding="utf-8")
        status = run([*arguments, str(path)], "", monkeypatch)
        said = capsys.readouterr().err
        assert (status == 0) == (said == "")
        if status:
            assert_one_sentence(said)
