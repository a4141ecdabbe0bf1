"""Whole games played at random with the bot's own rolls, and records with one thing altered."""

import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from bot.core.randomness import Luck
from bot.games.running.settling import Settling
from engine.core.chance import promise
from engine.core.game import Game, OptionValue
from engine.core.record import CHOSEN_KINDS, Header, Kind, Record
from engine.core.table import Table
from engine.kits.cube import CubeAction

MOST = 400
"""Entries after which a game is left as it is."""


async def played(
    game: Game[Any, Any],
    luck: Luck,
    number: int,
    pending: str | None = None,
    options: dict[str, OptionValue] | None = None,
    match: str = "",
) -> tuple[Table[Any, Any], str]:
    """Returns a game in which both players choose at random, and the secrets that are left. ``number`` is also the
    seed.
    """
    rng = random.Random(number)
    settling = Settling(luck)
    pending = luck.secret() if pending is None else pending
    settled = tuple(game.settle_options(options or {}).items())
    name = f"{match or 'g'}{number}"
    started = 1_800_000_000_000 + number
    header = Header(
        game.key,
        game.version,
        name,
        started,
        settled,
        "",
        promise(pending),
        match=match,
        match_game=number * bool(match),
    )
    table, pending = await settling.settle(Table.open(game, header), (1, 2), 0, pending)
    at = 0
    while table.to_act is not None and table.seq < MOST:
        at += rng.randrange(1000, 90_000)
        since = table.seq
        text = rng.choice(choices(table))
        table, pending = await settling.settle(table.play(table.to_act, text, at), (1, 2), at, pending)
        table, pending = settling.renew(table, since, pending)
    return table, pending


def choices(table: Table[Any, Any]) -> list[str]:
    """Returns the turns that may be played. Cube actions are rare among them, so that games become long."""
    game, state = table.game, table.state
    found = [(steps, game.format(state, steps)) for steps, _ in game.turns(state)]
    cube = [text for steps, text in found if isinstance(steps[0], CubeAction)]
    if "roll" in cube:
        return ["roll"] * 40 + cube
    return cube or [text for _, text in found]


@dataclass(frozen=True)
class Alteration:
    """A record with one thing altered: what, and the number of its entry."""

    what: str
    entry: int
    record: Record


def alterations(table: Table[Any, Any], rng: random.Random) -> Iterator[Alteration]:
    """Yields one alteration of each kind that the record has room for: die, secret, promise, play, cube
    action, time.
    """
    record = table.record
    entries = list(record.entries)
    rolls = [number for number, entry in enumerate(entries) if entry.kind is Kind.CHANCE]
    before = [n for n, entry in enumerate(entries) if entry.kind in CHOSEN_KINDS and n < rolls[-1]]

    def with_body(what: str, number: int, body: str) -> Alteration:
        changed = (*entries[:number], replace(entries[number], body=body), *entries[number + 1 :])
        return Alteration(what, number, replace(record, entries=changed))

    number = rng.choice(rolls)
    outcome, secret, following = entries[number].body.split(" ", 2)
    other = rng.choice([die for die in "123456" if die != outcome[0]])
    yield with_body("die", number, f"{other}{outcome[1]} {secret} {following}")
    place, digit = rng.randrange(len(secret)), rng.choice("0123456789abcdef")
    digit = digit if digit != secret[place] else "g"
    yield with_body("secret", number, f"{outcome} {secret[:place]}{digit}{secret[place + 1 :]} {following}")
    yield with_body("promise", number, f"{outcome} {secret} {following[:place]}{digit}{following[place + 1 :]}")
    rng.shuffle(before)
    wanted = {"play", "cube action"}
    progress: dict[int, Any] = {}
    walked = Table.open(table.game, record.header)
    for number, entry in enumerate(entries):
        progress[number] = walked
        walked = walked.append(entry)
    for number in before:
        there = progress[number]
        others = [(s, there.game.format(there.state, s)) for s, _ in there.game.turns(there.state)]
        is_cube = isinstance(others[0][0][0], CubeAction)
        what = "cube action" if is_cube else "play"
        others = [(steps, text) for steps, text in others if text != entries[number].body]
        if what in wanted and others:
            wanted.remove(what)
            yield with_body(what, number, rng.choice(others)[1])
    if before:
        number = before[0]
        at = replace(entries[number], at=entries[number].at + 1)
        yield Alteration("time", number, replace(record, entries=(*entries[:number], at, *entries[number + 1 :])))


def engine(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs the engine's command line."""
    return subprocess.run([sys.executable, "-m", "engine", *words], capture_output=True, text=True, check=False)
