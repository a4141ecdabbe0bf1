"""Checks that dice are fair, and that alterations are found: ``python benchmarks/dice.py [ROLLS [GAMES]]``.

Draws ROLLS (a million by default) by the bot's own luck, through the function that the bot calls for every roll, each
from a table of its own. Prints chi-squared of the 21 rolls, of the 36 opening rolls and of each roll with the one
before it, with the odds that fair dice give as much or more. Then GAMES (a thousand) of backgammon and Abak, half with
the cube, played at random: every roll is verified, and one alteration of each kind has to be found, by the rolls alone
and by the seal.
"""

import asyncio
import random
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:1] = [str(ROOT), str(ROOT / "tests")]  # this file's own name would hide the package

from fakes.verifiable import alterations, played

from bot.core.randomness import SystemLuck
from bot.dice.statistics import chi_squared_tail, spread
from bot.games.running.settling import Settling
from engine.core.chance import promise
from engine.core.errors import CorruptRecord
from engine.core.record import CHOSEN_KINDS, Header, Kind, check_seal, dump, entry_lines, sealed
from engine.core.rolls import BrokenEntry, verify
from engine.core.table import Table
from engine.kits.dice import OPENINGS, ROLLS, weight
from engine.registry import find

BACKGAMMON = find("backgammon")
LAST_ROLL = "XGID=-A----------------------a-:0:0:1:00:0:0:0:0:10"
OPENING_EVERY = 20
EXACT = ("die", "secret", "promise")
ROLLED = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
GAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000


async def rolls(wanted: int) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Counts opening rolls, rolls in play and pairs of rolls in play, made by ``Settling`` as in whole games.

    The games in play stand at their last roll, so that the time goes into rolls.
    """
    luck = SystemLuck()
    settling = Settling(luck)
    openings: Counter[str] = Counter()
    found: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    pending, number, last = luck.secret(), 0, ""
    options = tuple(BACKGAMMON.settle_options({"cube": "off"}).items())
    opening = BACKGAMMON.start(dict(options))
    after = BACKGAMMON.decode(LAST_ROLL, dict(options))
    while number < wanted:
        for position, counts in ((opening, openings), (after, found)):
            if position is opening and number % OPENING_EVERY:
                continue
            text = "" if position is opening else BACKGAMMON.encode(position)
            header = Header("backgammon", BACKGAMMON.version, f"r{number}", number, options, text, promise(pending))
            table, pending = await settling.settle(Table.open(BACKGAMMON, header), (1, 2), 0, pending)
            outcome = table.record.entries[0].body[:2]
            counts[outcome] += 1
            number += 1
            if position is after:
                pairs[last + outcome] += bool(last)
                last = "" if last else outcome
    return openings, found, pairs


def report(name: str, counts: Counter[str], texts: list[str], weights: list[int]) -> None:
    value = spread([counts[text] for text in texts], weights)
    odds = chi_squared_tail(value, len(texts) - 1)
    print(
        f"{name}: {sum(counts.values()):,} samples, chi-squared {value:.1f} with {len(texts) - 1} degrees, p {odds:.3f}"
    )


async def verify_games(count: int) -> None:
    found: Counter[str] = Counter()
    named: Counter[str] = Counter()
    sealed_found = verified = 0
    spent = 0.0
    for number in range(count):
        game = find("abak" if number % 5 == 0 else "backgammon")
        cube: dict[str, Any] = {"cube": "on" if number % 2 else "off"}
        table, _ = await played(game, SystemLuck(), number, options=cube)
        began = time.process_time()
        verified += verify(game, table.record)
        spent += time.process_time() - began
        text = sealed(dump(table.record))
        lines = entry_lines(text)
        for altered in alterations(table, random.Random(number)):
            found[altered.what] += 1
            line = lines[altered.entry]
            try:
                check_seal(f"{dump(altered.record)}{text.splitlines()[-1]}\n")
            except CorruptRecord as error:
                sealed_found += str(error).startswith(f"line {line}:")
            try:
                verify(game, altered.record)
            except BrokenEntry as error:
                named[altered.what] += (
                    error.line == line if altered.what in EXACT else error.first <= line <= error.line
                )
        last = max(n for n, entry in enumerate(table.record.entries) if entry.kind in CHOSEN_KINDS | {Kind.FORCED})
        entries = table.record.entries
        changed = (*entries[:last], replace(entries[last], at=entries[last].at + 1), *entries[last + 1 :])
        found["after the last roll"] += 1
        try:
            check_seal(f"{dump(replace(table.record, entries=changed))}{text.splitlines()[-1]}\n")
        except CorruptRecord as error:
            sealed_found += str(error).startswith(f"line {lines[last]}:")
    print(f"{count:,} games: {verified:,} rolls verified, {1000 * spent / count:.1f} ms of CPU a game")
    for what, times in found.items():
        print(f"  altered {what}: {times:,} of which the rolls alone show {named[what]:,} with the line")
    print(f"  the seal names the line of {sealed_found:,} of {sum(found.values()):,}")


async def main() -> None:
    began = time.process_time()
    openings, found, pairs = await rolls(ROLLED)
    texts = [str(roll) for roll in ROLLS]
    weights = [weight(roll, opening=False) for roll in ROLLS]
    report("rolls", found, texts, weights)
    report("opening rolls", openings, [str(roll) for roll in OPENINGS], [1] * 36)
    two = [(a + b, v * w) for a, v in zip(texts, weights, strict=True) for b, w in zip(texts, weights, strict=True)]
    report("pairs of rolls", pairs, [text for text, _ in two], [each for _, each in two])
    print(f"{ROLLED:,} rolls in {time.process_time() - began:.0f} s of CPU")
    await verify_games(GAMES)


asyncio.run(main())
