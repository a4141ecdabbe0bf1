"""The use cases of analysis boards, and of games and matches as files."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final
from weakref import WeakValueDictionary

from bot.core.randomness import fresh_id
from bot.exchange.analysis import Analysis, at, branch, games_of, names_of, play, table_of, to_roll, undo
from bot.exchange.repository import AnalysisRepository
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.matches.service import MatchService
from engine.core.errors import CorruptRecord, Refused, RuleError
from engine.core.hours import DAY
from engine.core.record import Record
from engine.core.table import Table
from engine.exchange import FORMATS, Content, extension, read, write
from engine.match.record import MatchRecord

LONGEST: Final = 400_000
"""The most characters of an imported file. A match to 25 points has about 60,000."""
MOST_ENTRIES: Final = 3_000
"""The most entries of an imported game, whose replay takes a tenth of a second. Games have some hundred."""
MOST_IN_FILE: Final = 10_000
"""The most turns, rolls and positions of a file, whose replay takes half a second. A match to 25 points has some
thousand. Files of other users wait meanwhile.
"""
MOST: Final = 20
"""The most analysis boards of a user. The oldest are deleted."""
KEPT_MS: Final = 60 * DAY
"""How long a board is kept after its last use."""
BATCH: Final = 500
PAUSE_MS: Final = 60_000
"""The least time between two exports of all games of a user."""
FENCED: Final = re.compile(r"```(?:\w*\n)?(.*?)\n?```", re.DOTALL)
"""A block of code in Discord's markup, with or without the name of a language."""
WHOLE_GAMES: Final = tuple(form.key for form in FORMATS.values() if form.extension == form.key and form.key != "json")
"""The formats of whole games, except JSON, which repeats the record."""


class ExchangeService:
    """Stores analysis boards and writes files. ``now`` returns ms since 1970."""

    def __init__(
        self,
        repository: AnalysisRepository,
        games: GameService,
        matches: MatchService,
        now: Callable[[], int],
        *,
        new_id: Callable[[], str] = fresh_id,
    ) -> None:
        self.repository = repository
        self._games = games
        self._matches = matches
        self._now = now
        self._new_id = new_id
        self._exporting = asyncio.Lock()
        self._reading = asyncio.Lock()
        self._readers: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._exported: dict[int, int] = {}
        """The moment of each user's last export of all games, in ms since 1970."""

    # --- files -----------------------------------------------------------------------------------------------------

    async def games_of_match(self, live: LiveGame) -> list[LiveGame]:
        """Returns the games of a game's match, in order; the game alone if it is a single one."""
        match_id = live.record.header.match
        if not match_id:
            return [live]
        return [await self._games.get(game_id) for game_id in await self._matches.game_ids(match_id)]

    async def whole(self, games: Sequence[LiveGame]) -> Record | MatchRecord:
        """Returns the match of these games, or the game itself if it is a single one."""
        match_id = games[0].record.header.match
        match = await self._matches.get(match_id) if match_id else None
        if match is None:
            return games[0].record
        return MatchRecord(match.match.header, tuple(live.record for live in games))

    @asynccontextmanager
    async def exporting_all(self, user_id: int) -> AsyncIterator[None]:
        """Allows one user at a time to export all games. Raises Refused if the user asks again soon."""
        async with self._exporting:
            now = self._now()
            self._exported = {user: at for user, at in self._exported.items() if now - at < PAUSE_MS}
            if user_id in self._exported:
                raise Refused("export.wait")
            yield
            self._exported[user_id] = self._now()

    async def players(self, live: LiveGame) -> tuple[int, int]:
        """Returns the players of a game's match, or of a single game, in the order of the record."""
        match = await self._matches.of(live)
        return live.players if match is None else match.players

    @staticmethod
    def file(what: Record | MatchRecord, form: str, names: tuple[str, str]) -> dict[str, str]:
        """Returns the text of a game or match in a format, by its file name. Raises RuleError if the format cannot hold
        it.
        """
        return {_file_name(what, form): write(what, form, names, seal=True)}

    @staticmethod
    def files(what: Record | MatchRecord, forms: Iterable[str], names: tuple[str, str]) -> dict[str, str]:
        """Returns the texts of a game or match, by file name, in each of the formats that can hold it.

        It takes a while for a long match: call it in a thread.
        """
        found: dict[str, str] = {}
        for key in forms:
            try:
                text = write(what, key, names, seal=True)
            except RuleError:
                continue
            found[_file_name(what, key)] = text
        return found

    # --- analysis boards -------------------------------------------------------------------------------------------

    def one_at_a_time(self, user_id: int) -> asyncio.Lock:
        """Returns the user's lock for work that takes the processor long, so that a user has one such task
        at a time.
        """
        return self._readers.setdefault(user_id, asyncio.Lock())

    async def open(self, user_id: int, text: str) -> Analysis:
        """Makes an analysis board of a position or a file. Raises RuleError for an unreadable text."""
        if len(text) > LONGEST:
            raise Refused("analysis.too_long", most=LONGEST)
        # the longest take seconds of the processor, so they run one at a time, and each user has one in the queue
        async with self.one_at_a_time(user_id), self._reading:
            content = await asyncio.to_thread(checked, unquoted(text))
        return await self._add(user_id, games_of(content), names_of(content))

    async def open_game(self, user_id: int, live: LiveGame, names: tuple[str, str]) -> Analysis:
        """Makes an analysis board of a game. Raises Refused while the game runs."""
        if not live.is_over:
            raise Refused("analysis.running")
        return await self._add(user_id, (live.record,), names)

    async def _add(self, user_id: int, games: tuple[Record, ...], names: tuple[str, str]) -> Analysis:
        made = Analysis(self._new_id(), user_id, games, names)
        await self.repository.add(made, self._now(), MOST)
        return made

    async def get(self, analysis_id: str, user_id: int) -> Analysis:
        """Returns the user's analysis board. Raises Refused if the user has none with that id."""
        found = await self.repository.get(analysis_id, user_id)
        if found is None:
            raise Refused("analysis.unknown")
        return found

    async def play(self, analysis: Analysis, number: int, moment: int, text: str) -> Analysis:
        """Tries a turn or a roll after a moment of a game, or of the line so far. Raises RuleError."""
        line = await asyncio.to_thread(lambda: play(self._branch(analysis, number, moment), text).record)
        return await self._set_line(analysis, line)

    async def roll(self, analysis: Analysis, number: int, moment: int) -> Analysis:
        """Rolls the dice after a moment. Raises Refused if no roll is due."""
        table = await asyncio.to_thread(lambda: to_roll(self._branch(analysis, number, moment)))
        if table is None:
            raise Refused("analysis.no_roll")
        luck = self._games.luck
        outcome, *_ = luck.body(table, luck.secret(), "").split(" ")
        return await self._set_line(analysis, play(table, outcome).record)

    @staticmethod
    def _branch(analysis: Analysis, number: int, moment: int) -> Table[Any, Any]:
        record = analysis.record(number)
        origin = record.header.id if record is analysis.line else f"{max(number, 0)}-{moment}"
        return branch(at(record, moment), origin)

    async def undo(self, analysis: Analysis) -> Analysis:
        line = analysis.line
        if line is None or not line.entries:
            return analysis
        return await self._set_line(analysis, await asyncio.to_thread(undo, line))

    async def drop_line(self, analysis: Analysis) -> Analysis:
        """Deletes the line. The board shows the games again."""
        return await self._set_line(analysis, None)

    async def _set_line(self, analysis: Analysis, line: Record | None) -> Analysis:
        await self.repository.set_line(analysis, line, self._now())
        return Analysis(analysis.id, analysis.user_id, analysis.games, analysis.names, line)

    async def delete_old(self) -> bool:
        """Deletes boards that were not used for KEPT_MS. Returns whether more may be left."""
        return await self.repository.delete_before(self._now() - KEPT_MS, BATCH) == BATCH


def unquoted(text: str) -> str:
    """Removes the marks that show the text as code in Discord."""
    text = text.strip("\ufeff")
    bare = text.strip()
    fenced = FENCED.fullmatch(bare)
    return fenced[1] if fenced else bare.strip("`").strip() if bare.startswith("`") else text


def checked(text: str) -> Content:
    """Reads the content of a text. Raises RuleError, also if its games do not replay or are too long."""
    content = read(text, most=MOST_IN_FILE)
    games = games_of(content)
    if any(len(record.entries) > MOST_ENTRIES for record in games):
        raise Refused("analysis.too_many_entries", most=MOST_ENTRIES)
    try:
        for record in games:
            table_of(record)
    except CorruptRecord as error:
        raise Refused("analysis.broken", problem=str(error)) from error
    return content


def _file_name(what: Record | MatchRecord, form: str) -> str:
    """Returns ``backgammon-a1b2.mat``; or ``backgammon-a1b2-xgid.txt`` if the ending does not tell the format."""
    ending = extension(what, form)
    stem = f"{what.header.game}-{what.header.id}"
    return f"{stem}.{ending}" if ending in {form, "match"} else f"{stem}-{form}.{ending}"
