"""Exports the data stored about a user: zip files with a README, a JSON file for each kind, and every game's record."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import UTC, datetime
from typing import Any, Final

from bot.conditional.service import ConditionalMoveService
from bot.core.personal_data import PersonalData, PersonalDataCatalogue
from bot.core.translations import Language
from bot.games.service import GameService
from bot.games.tables import games as games_table
from bot.players.service import PlayerNames
from bot.privacy.export.archive import LIMIT, Archive
from bot.privacy.export.repository import ExportRepository
from engine.core.errors import Refused
from engine.core.record import sealed

PAUSE_MS: Final = 60_000
"""The least time between two exports of a user."""
AT_ONCE: Final = 2
"""The most exports that are made at the same time."""
README: Final = "README.txt"
YOU: Final = "you"
"""Stands for the user's own id among the players of a game."""


class ExportService:
    """Makes exports. ``now`` returns ms since 1970; ``limit``: the most bytes of a zip file."""

    def __init__(
        self,
        store: ExportRepository,
        catalogue: PersonalDataCatalogue,
        names: PlayerNames,
        games: GameService,
        conditional: ConditionalMoveService,
        now: Callable[[], int],
        limit: int = LIMIT,
    ) -> None:
        self.store = store
        self._catalogue = catalogue
        self._names = names
        self._games = games
        self._conditional = conditional
        self._now = now
        self._limit = limit
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._last: dict[int, int] = {}
        """The moment of the last export of each user who may not export again yet."""

    async def counts(self, user_id: int) -> dict[str, int]:
        """Returns the number of the user's rows in each table. Tables without any are left out."""
        return await self.store.counts(self._catalogue.of_users, user_id)

    async def export(self, user_id: int, say: Language) -> AsyncIterator[bytes]:
        """Yields the zip files one after the other, so that only one is in memory. Raises Refused soon after another
        export.
        """
        now = self._now()
        self._last = {user: at for user, at in self._last.items() if now - at < PAUSE_MS}
        if user_id in self._last:
            raise Refused("data.export_later")
        self._last[user_id] = now
        async with self._slots:
            archive = Archive(self._limit)
            async for name, text in self._files(user_id, say):
                # packing takes a moment, so it runs outside the event loop
                full = await asyncio.to_thread(archive.add, name, text)
                if full is not None:
                    yield full
            yield await asyncio.to_thread(archive.close)

    def forget(self, user_id: int | None) -> None:
        """Forgets the user's last export, as their data were deleted."""
        if user_id is not None:
            self._last.pop(user_id, None)

    async def _files(self, user_id: int, say: Language) -> AsyncIterator[tuple[str, str]]:
        counts = await self.counts(user_id)
        made = datetime.fromtimestamp(self._now() / 1000, UTC).isoformat(timespec="seconds")
        lines = [say("data.readme.title"), "", say("data.readme.made", user=str(user_id), when=made), ""]
        kinds = [data.name for data in self._catalogue.of_users if data.name in counts]
        lines += [f"{kind}.json: {say(f'data.kind.{kind}', n=counts[kind])}" for kind in kinds]
        lines += [say("data.readme.records"), "", say("data.readme.notes"), ""]
        yield README, "\n".join(lines)
        for data in self._catalogue.of_users:
            number = 0
            async for rows in self.store.pages(data, user_id):
                number += 1
                readable = await self._readable(data, rows, user_id, say)
                text = await asyncio.to_thread(json.dumps, readable, ensure_ascii=False, indent=1)
                yield f"{data.name}{f'-{number}' if number > 1 else ''}.json", text
                if data.table is games_table:
                    async for file in self._records(rows, user_id):
                        yield file

    async def _records(self, rows: Iterable[dict[str, Any]], user_id: int) -> AsyncIterator[tuple[str, str]]:
        """Yields the record of each game, and the user's conditional moves in running games."""
        for row in rows:
            stored = await self._games.repository.load(row["id"])
            if stored is None:
                continue
            yield f"games/{row['game']}-{row['id']}.record", sealed(str(stored.record))
            if row["ended"] is None and user_id in stored.players:
                seat = stored.players.index(user_id)
                moves = [move for move in await self._conditional.store.of(row["id"]) if move.seat == seat]
                if moves:
                    listed = [
                        {"id": move.id, "after": move.parent_id, "condition": move.condition, "reply": move.reply}
                        for move in moves
                    ]
                    yield f"games/{row['game']}-{row['id']}-conditional.json", json.dumps(listed, indent=1)

    async def _readable(
        self, data: PersonalData, rows: list[dict[str, Any]], user_id: int, say: Language
    ) -> list[dict[str, Any]]:
        """Returns the rows with names for users, dates for moments, and ids as text, as JSON readers round large
        numbers.
        """
        users = {row[name] for row in rows for name in data.users if name in row} - {None, user_id}
        names = await self._names.names(users, say) | {user_id: YOU}

        def value(name: str, of: Any) -> Any:
            if of is None:
                return None
            if name in data.users:
                return names[of] or say("data.unknown_user")
            if name in data.times:
                return datetime.fromtimestamp(of / 1000, UTC).isoformat()
            return str(of) if name in data.others else of

        return [{name: value(name, of) for name, of in row.items()} for row in rows]
