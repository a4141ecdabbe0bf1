"""The use cases of contests: a single game or a match begins and ends, and a match goes on with its next game."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.cache import CAPACITY, ENTRY
from bot.core.randomness import fresh_id
from bot.core.storage.database import after_commit
from bot.games.hooks import GameHook
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.running.commit import Also
from bot.games.service import GameService
from bot.matches.contests import ContestHook, FinishedContest, absent_seat, has_moved
from bot.matches.live import LiveMatch
from bot.matches.repository import MatchRepository
from engine.core.sized_cache import SizedCache
from engine.match.match import SET_BY_SCORE, Match, MatchHeader, Terms
from engine.registry import find

__all__ = ["LiveMatch", "MatchService"]

MATCH: Final = 4_000
GAME: Final = 700
"""The approximate bytes of a match in memory, and of each of its games."""


def size_of(live: LiveMatch) -> int:
    return ENTRY + MATCH + GAME * live.finished


class MatchService(GameHook):
    """Begins contests, continues matches with their next game, and calls the hooks when a contest ends.

    All of it is written in the transaction of the game that ends.
    """

    def __init__(
        self, repository: MatchRepository, games: GameService, *, new_id: Callable[[], str] = fresh_id
    ) -> None:
        self.repository = repository
        self.hooks: list[ContestHook] = []
        self._games = games
        self._new_id = new_id
        self._cache = SizedCache[str, LiveMatch](CAPACITY["matches"], size_of)

    # --- beginning -----------------------------------------------------------------------------------------------

    async def open(self, terms: Terms, new: NewGame, players: tuple[int, int], also: Also | None = None) -> LiveGame:
        """Starts a single game, or a match with its first game, in one transaction.

        The rest is as in ``GameService.open``. Raises RuleError; Refused if the place is taken.
        """
        if not terms.is_match:
            return await self._games.open(new, players, also)
        begun = LiveMatch(Match(self._header(terms, new)), players, new.place, new.locale)

        async def with_match(connection: AsyncConnection, live: LiveGame) -> None:
            header = replace(begun.match.header, started=live.started)
            stored = replace(begun, match=Match(header))
            await self.repository.create(connection, stored)
            after_commit(connection, lambda: self._keep(stored))
            if also is not None:
                await also(connection, live)

        return await self._games.open(begun.next_game(new.secret), begun.seated(), with_match)

    def _header(self, terms: Terms, new: NewGame) -> MatchHeader:
        """Returns the header of a match that begins with this game. Its first game says when it started."""
        options = tuple((key, value) for key, value in new.options.items() if key not in SET_BY_SCORE)
        version = find(new.game).version
        return MatchHeader(
            self._new_id(), new.game, version, 0, terms, options, new.clock, new.timeout_policy, new.rated
        )

    # --- finding -------------------------------------------------------------------------------------------------

    async def of(self, live: LiveGame) -> LiveMatch | None:
        """Returns the match of a game: as it was when the game began, or with its result if it is over. None for a
        single game.

        A match in the cache needs no query, and a single game never needs one.
        """
        header = live.record.header
        if not header.match:
            return None
        needed = header.match_game if live.is_over else header.match_game - 1
        known = self._cache.get(header.match)
        if known is None or known.finished < needed or {*known.players} != {*live.players}:
            known = await self.repository.get(header.match)
            if known is None:
                raise LookupError(f"there is no match {header.match}")
        return self._keep(known).after(needed)

    async def several(self, match_ids: Collection[str]) -> dict[str, LiveMatch]:
        wanted = set(filter(None, match_ids))
        return await self.repository.several(wanted) if wanted else {}

    async def get(self, match_id: str) -> LiveMatch | None:
        return await self.repository.get(match_id)

    async def game_ids(self, match_id: str) -> list[str]:
        """Returns the ids of the match's games, in order."""
        return await self.repository.game_ids(match_id)

    async def next_game(self, live: LiveGame) -> str | None:
        """Returns the id of the game that follows a game in its match; None if there is none."""
        header = live.record.header
        return await self.repository.game_id(header.match, header.match_game + 1) if header.match else None

    # --- going on ------------------------------------------------------------------------------------------------

    async def following(self, before: LiveGame, after: LiveGame) -> LiveGame | None:
        """Returns the next game of the match. Its first roll has the secret whose commitment the game
        before published.
        """
        if not _has_ended(before, after) or (known := await self.of(before)) is None:
            return None
        then = _with_game(known, after)
        return None if then.is_over else await self._games.prepare(then.next_game(after.secret), then.seated())

    async def on_commit(self, connection: AsyncConnection, before: LiveGame | None, after: LiveGame) -> None:
        if not _has_ended(before, after):
            return
        contest = single_game(after)
        if match_id := after.record.header.match:
            known = await self.repository.lock(connection, match_id)
            then = _with_game(known, after)
            await self.repository.update(connection, then)
            after_commit(connection, lambda: self._keep(then))
            if not then.is_over:
                return
            contest = finished_match(then, contest.ended, after)
        for hook in self.hooks:
            await hook.on_end(connection, contest)

    async def on_relocate(
        self, connection: AsyncConnection, before: LiveGame, after: LiveGame, user_id: int | None
    ) -> None:
        del user_id
        if match_id := before.record.header.match:
            await self.repository.move(connection, match_id, after.place)

    async def on_leave(self, connection: AsyncConnection, live: LiveGame, user_id: int, pseudonym: int) -> None:
        """Replaces the user in the match and all its games, as these always have the same players."""
        if match_id := live.record.header.match:
            await self.repository.replace_player(connection, match_id, user_id, pseudonym)
            after_commit(connection, lambda: self._cache.pop(match_id))

    def forget_player(self, user_id: int | None) -> None:
        """Drops cached matches of a user whose id was replaced; every match for None."""
        for match_id in [id_ for id_, live in self._cache.items() if user_id is None or user_id in live.players]:
            self._cache.pop(match_id)

    def _keep(self, live: LiveMatch) -> LiveMatch:
        """Caches a match, unless a later state of it is cached."""
        known = self._cache.get(live.id)
        if known is None or known.finished <= live.finished:
            self._cache.put(live.id, live)
        return live


def _has_ended(before: LiveGame | None, after: LiveGame) -> bool:
    return after.is_over and not (before is not None and before.is_over)


def _with_game(match: LiveMatch, live: LiveGame) -> LiveMatch:
    """Returns the match after its next game, which is over."""
    return replace(match, place=live.place).with_game(live.table, live.started + live.entries[-1].at)


def finished_match(live: LiveMatch, ended: int, last: LiveGame | None = None) -> FinishedContest:
    """Returns a finished match as a contest; ``ended`` in ms since 1970, ``last`` its last game. Raises ValueError if
    it goes on.
    """
    header, result = live.match.header, live.result
    if result is None:
        raise ValueError("the match goes on")
    absent = None if last is None else absent_seat(last)
    return FinishedContest(
        id=live.id,
        is_match=True,
        game=header.game,
        players=live.players,
        winner=result.winner,
        rated=header.rated,
        counts=result.counts,
        clock=header.clock,
        points=header.terms.points or 1,
        started=header.started,
        ended=ended,
        guild_id=live.place.guild_id,
        drawn=result.drawn,
        reason=result.reason,
        absent=None if last is None or absent is None else live.players.index(last.players[absent]),
        unplayed=last is not None and absent is not None and live.finished == 1 and not has_moved(last, absent),
    )


def single_game(live: LiveGame) -> FinishedContest:
    """Returns a finished game that is a contest of its own. Raises ValueError if it goes on."""
    header, outcome = live.record.header, live.outcome
    if outcome is None:
        raise ValueError("the game goes on")
    absent = absent_seat(live)
    return FinishedContest(
        id=live.id,
        is_match=False,
        game=header.game,
        players=live.players,
        winner=outcome.winner,
        rated=header.rated,
        counts=live.table.counts,
        clock=header.clock,
        points=1,
        started=live.started,
        ended=live.started + live.entries[-1].at,
        guild_id=live.place.guild_id,
        drawn=outcome.winner is None and outcome.has_result,
        reason=outcome.reason,
        absent=absent,
        unplayed=absent is not None and not has_moved(live, absent),
    )
