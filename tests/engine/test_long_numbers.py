"""Numbers of thousands of digits, which Python refuses to read, are refused like any other text without sense."""

from __future__ import annotations

import contextlib
import io
import random
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from harness.matches import NAMES, random_game, random_match

from engine import __main__ as command_line
from engine import exchange
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
    """The text with each of some numbers in it replaced by a long one."""
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


@pytest.mark.parametrize("cube", LONG)
def test_the_command_line_refuses_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cube: str
) -> None:
    position = f"XGID=-b----E-C---eE---c-e----B-:{cube}:0:1:31:0:0:0:0:10"
    monkeypatch.setattr(sys, "argv", ["engine", "play", "backgammon", position, "8/5 6/5"])
    assert command_line.main() == command_line.BAD_INPUT
    shown = capsys.readouterr().err
    assert shown.startswith("xgid.cube")
    assert len(shown.splitlines()) == 1
    assert len(shown) < 400
    monkeypatch.setattr(sys, "argv", ["engine", "legal", "backgammon"])
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{position}\n"))
    assert command_line.main() == 1
    assert "xgid.cube" in capsys.readouterr().out
