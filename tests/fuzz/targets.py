"""Everything that reads a text from outside, with texts that it accepts and the errors by which it refuses."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from harness.walks import walk

from bot.archive.service import read_link
from bot.challenges.proposal import Draft as Challenge
from bot.challenges.proposal import read_ratings
from bot.clocks import typed
from bot.clocks.vacations.views import read_day
from bot.core.interactions.press import read_press
from bot.core.translations import language
from bot.exchange.analysis import games_of, names_of, table_of
from bot.exchange.service import checked, unquoted
from bot.exchange.views import position_texts
from bot.explorer.line import read_line
from bot.moves.draft import Draft, DraftOutdated
from bot.players.places.reading import read_zone
from bot.players.zones import read_span
from bot.tournaments.registration.organiser import read_rows
from bot.tournaments.registration.panel.moments import read_moment
from engine.core import record
from engine.core.clock import TimeControl, read_duration
from engine.core.errors import CorruptRecord, RuleError
from engine.core.hours import Hours
from engine.core.table import Table
from engine.exchange import formats
from engine.registry import GAMES, find
from engine.tournament.trf import reading as trf
from fuzz.runner import Report, Target, attack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.core.game import Game

RECORDS: Final = Path(__file__).parents[1] / "golden" / "records"
POSITIONS: Final = 60
"""Positions of each game, of which texts and turns are seeds."""
ENTRIES: Final = 30
"""Entries of a golden record that make a seed: an upload is read in a thread, a seed here is a short one."""
NOW: Final = 1_800_014_400_000
RULES: Final = (RuleError,)


def targets() -> list[Target]:
    """Returns all targets, with fresh seeds of every game."""
    return [*(target for game in GAMES.values() for target in _of_game(game)), *_records(), *_typed(), *_carried()]


def attack_one(number: int, *, texts: int, seed: int) -> Report:
    """Attacks the target of that number, in a process that has none yet."""
    return attack(targets()[number], texts, seed)


def _of_game(game: Game[Any, Any]) -> Iterator[Target]:
    rng = random.Random(game.key)
    states: list[Any] = []
    while len(states) < POSITIONS:
        states += list(walk(game, rng, 100))[::7]
    states = rng.sample(states, POSITIONS)
    few = states[:6]
    turns = [game.format(state, [step]) for state in few for step in game.legal(state)]
    yield Target(f"position of {game.key}", game.decode, [game.encode(state) for state in states], RULES)

    def read_move(text: str) -> None:
        game.parse(rng.choice(few), text)

    yield Target(f"move of {game.key}", read_move, [*turns, *(f"{turn} {turn}" for turn in turns)], RULES)


def _short_record(path: Path) -> str:
    found = record.load(path.read_text(encoding="utf-8"))
    return record.dump(record.Record(found.header, found.entries[:ENTRIES]))


def _records() -> Iterator[Target]:
    texts = [_short_record(path) for path in sorted(RECORDS.glob("*.record"))]

    def replay(text: str) -> None:
        found = record.load(text)
        Table.replay(find(found.header.game, found.header.version), found)

    yield Target("record", replay, texts, (CorruptRecord, RuleError))
    written = []
    for text in texts:
        found = record.load(text)
        for form in formats.FORMATS:
            try:
                written.append(formats.write(found, form))
            except RuleError:
                continue  # the format is another game's
    yield Target("imported file", _import, written, RULES)
    yield Target("Swiss report", trf.read, [REPORT], (RuleError, ValueError))
    yield Target("list of players", read_rows, ["id,name\n123456789012345678,Ana\n<@223456789012345678>,Ben\n"], ())


def _import(text: str) -> None:
    """Treats a file as the bot does, up to the words above its board."""
    content = checked(unquoted(text))
    names_of(content)
    for game in games_of(content):
        position_texts(table_of(game))


REPORT: Final = (
    "012 Cup\nXXR 3\n"
    "001    1      Ana                               1700                                         1.0    1"
    "     2 w 1  \n"
    "001    2      Ben                               1600                                         0.0    2"
    "     1 b 0  \n"
)


def _typed() -> Iterator[Target]:
    say = language("es")
    times = ("3d", "10m+5s", "1 week", "2 weeks per move", "3 días por jugada", "1h 30 min", "3d+12h", "10m 5s/move")
    yield Target("time control", TimeControl.parse, times, RULES)
    yield Target("length of time", read_duration, ("1d12h", "45s", "3h"), RULES)
    yield Target("typed time", typed.value, times, RULES)
    yield Target("suggested times", lambda text: typed.suggested(text, "3d/move", say), times, ())
    yield Target("time zone", read_zone, ("Europe/Madrid", "Nueva York", "UTC+2", "Spain", "New"), RULES)
    yield Target("quiet hours", read_span, ("23:00-07:30", "9-17", "22-6"), RULES)
    days = ("2027-02-01", "1.2.2027", "", "1/2")
    yield Target("day", lambda text: read_day(text, ZoneInfo("Europe/Madrid"), NOW), days, RULES)
    moments = ("2027-02-01 18:00", "tomorrow 18:00", "in 2 hours", "mañana a las 6", "18:00", "saturday")
    yield Target("moment", lambda text: read_moment(text, NOW, "Europe/Madrid"), moments, RULES)
    yield Target("range of ratings", read_ratings, ("1400-1700", "1400+", "-1700", ""), RULES)
    yield Target("link", read_link, ("https://discord.com/channels/1/2/3", "https://discord.com/channels/1/2"), ())


def _carried() -> Iterator[Target]:
    presses = ("b:play:Xy3kPq9a:12:", "m:pick:Xy3kPq9a:7:3.12~1~k4x2a", "f:typed:Xy3kPq9a:0:a|b|c", "c:place:me:0:")
    yield Target("custom_id", read_press, presses, ())
    yield Target("draft of a move", Draft.read, ("", "3.12~1~k4x2a", "0~~abcde"), (DraftOutdated,))
    yield Target(
        "draft of a challenge", Challenge.read, ("abalone,,s,0,r,,,", "abak,,p9c,3d+12h,,,,x"), (ValueError, RuleError)
    )
    yield Target("resting hours", Hours.parse, ("1320-420 5,6 60 1774746000000:120", "-"), RULES)
    for game in GAMES.values():
        options = game.settle_options({})
        packed = ".".join(
            str(option.choices.index(str(options[option.key])) if option.choices else options[option.key])
            for option in game.options
        )
        start = game.start(options)
        lines = (f"x\n`{game.encode(start)}`", "x\n`1.` `2.`", "x\n")
        yield Target(f"explored {game.key}", partial(read_line, game.key, 0, packed), lines, RULES)
