"""Replays the records of every match's games, and corrects the match's derived columns where they differ.

The bot may run meanwhile. A row is updated only if it has not changed since it was read; otherwise it is read again.
"""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import Row, select, update

from bot.core.storage.database import Database
from bot.games.rebuild import ATTEMPTS, Checked, stored_table
from bot.games.tables import games
from bot.matches.live import LiveMatch
from bot.matches.rows import DERIVED, derived, live_match
from bot.matches.tables import matches
from engine.core.errors import CorruptRecord

PAGE: Final = 500
"""Ids read at once."""


async def rebuild_matches(database: Database) -> AsyncIterator[Checked]:
    """Checks and corrects every match, in order of the ids. Its games must have been checked before."""
    after = ""
    while ids := await _page(database, after):
        for match_id in ids:
            yield await _rebuild(database, match_id)
        after = ids[-1]


async def _page(database: Database, after: str) -> list[str]:
    query = select(matches.c.id).where(matches.c.id > after).order_by(matches.c.id).limit(PAGE)
    return list((await database.fetch(query)).scalars())


async def _rebuild(database: Database, match_id: str) -> Checked:
    for _ in range(ATTEMPTS):
        row = (await database.fetch(select(matches).where(matches.c.id == match_id))).one()
        try:
            expected = derived(await _replayed(database, row))
        except Exception as error:  # noqa: BLE001  damaged games can raise anything; the other matches are still checked
            return Checked(match_id, fault=f"match {match_id} does not replay: {error}")
        changed = tuple(name for name in DERIVED if getattr(row, name) != expected[name])
        if not changed:
            return Checked(match_id)
        same = [matches.c[name].is_not_distinct_from(getattr(row, name)) for name in DERIVED]
        async with database.writing() as connection:
            result = await connection.execute(update(matches).where(matches.c.id == match_id, *same).values(expected))
        if result.rowcount == 1:
            return Checked(match_id, changed)
    return Checked(match_id)


async def _replayed(database: Database, row: Row[Any]) -> LiveMatch:
    """Returns the match by the records of its games. Raises CorruptRecord, or any other error if they are damaged."""
    listed = select(games.c.id, games.c.match_game).where(games.c.match_id == row.id).order_by(games.c.match_game)
    found = (await database.fetch(listed)).all()
    if [game.match_game for game in found] != list(range(1, len(found) + 1)):
        raise CorruptRecord(f"match {row.id} lacks a game")
    live = live_match(row)
    live = replace(live, match=replace(live.match, results=()), ended=None)
    for number, game in enumerate(found, 1):
        table = await stored_table(database, game.id)
        if table.outcome is None and (number < len(found) or live.is_over):
            raise CorruptRecord(f"game {number} of match {row.id} goes on, but the match is over or has a later game")
        if table.outcome is not None:
            ended = table.record.header.started + table.record.entries[-1].at
            live = live.with_game(table, ended)
    if not live.is_over and live.finished == len(found):
        raise CorruptRecord(f"match {row.id} lacks its next game")
    return live
