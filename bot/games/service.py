"""The use cases of games in play. Commands of a game run one at a time; only committed changes become visible."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from bot.core.cache import CAPACITY
from bot.core.cancellation import finish_despite_cancellation
from bot.core.randomness import Luck, fresh_id
from bot.core.storage.database import Conflict, PlaceTaken
from bot.games.actions import Action, table_for_offer, why_not
from bot.games.hooks import GameHook, apply_turn
from bot.games.live import LiveGame, live_game
from bot.games.new_game import NewGame
from bot.games.repository import GameRepository
from bot.games.running.commit import Also, GameCommit, Write
from bot.games.running.elapsed_time import ElapsedTime
from bot.games.running.leaving import Leaver
from bot.games.running.live_games import LiveGames
from bot.games.running.runner import CommandRunner
from bot.games.running.settling import Settling, always, never
from bot.games.stored import FinishedGame, Place, RunningGame, StoredGame
from engine.core.adjudication import DECISION, FORFEIT, Result
from engine.core.chance import promise
from engine.core.errors import Refused
from engine.core.game import CHANCE, Seat
from engine.core.hours import DAY
from engine.core.record import Entry, Header, Kind
from engine.core.table import Table
from engine.core.takeback import TAKEBACK
from engine.registry import find

LATE_MS: Final = DAY
"""The delay after which a machine claims a game whose time is up, if it may be claimed."""


class GameService:
    """Opens, finds and changes games. ``now`` returns ms since 1970; ``plays_forced`` and ``rolls``: see Settling.

    ``limited``: the number of offers in a time is limited for players.
    """

    def __init__(
        self,
        repository: GameRepository,
        luck: Luck,
        now: Callable[[], int],
        *,
        new_id: Callable[[], str] = fresh_id,
        capacity: int = CAPACITY["games"],
        plays_forced: Callable[[int], Awaitable[bool]] = always,
        rolls: Callable[[int], Awaitable[bool]] = never,
        hooks: Sequence[GameHook] = (),
        limited: bool = False,
    ) -> None:
        self.repository = repository
        self.luck = luck
        self._now = now
        self._new_id = new_id
        self._hooks = list(hooks)
        self._live_games = LiveGames(repository, capacity)
        self._settling = Settling(luck, plays_forced, rolls)
        self._time = ElapsedTime(repository, self._hooks, now)
        self._commit = GameCommit(repository, self._live_games, self._hooks, self._settling, self._time)
        self._open = partial(table_for_offer, limited=limited)
        self._runner = CommandRunner(repository, self._live_games, self._time, self._settling, self._commit)
        self.subscribe = self._commit.subscribe

    @property
    def hooks(self) -> Sequence[GameHook]:
        """The hooks, in the order in which they are called. All parts of the service share this list."""
        return self._hooks

    @hooks.setter
    def hooks(self, hooks: Sequence[GameHook]) -> None:
        self._hooks[:] = hooks

    # --- opening -------------------------------------------------------------------------------------------------

    async def open(self, new: NewGame, players: tuple[int, int], also: Also | None = None) -> LiveGame:
        """Starts a game, made by ``prepare``. Raises RuleError; Refused if the place is taken.

        ``also`` writes further data in the same transaction.
        """
        live = await self.prepare(new, players)
        try:
            await finish_despite_cancellation(self._commit.create(live, also))
        except PlaceTaken as error:
            raise Refused("place.taken") from error
        return live

    async def prepare(self, new: NewGame, players: tuple[int, int]) -> LiveGame:
        """Prepares a new game with its opening roll and forced turns, without storing it. Raises RuleError."""
        if players[0] == players[1]:
            raise Refused("challenge.self")
        rules = find(new.game, new.version)
        options = rules.settle_options(new.options)
        secret = new.secret or self.luck.secret()
        promised = promise(secret) if rules.begins_with_luck(options) else ""
        for hook in self._hooks:
            await hook.before_command(new.place.guild_id)
        header = Header(
            new.game,
            rules.version,
            self._new_id(),
            self._now(),
            tuple(options.items()),
            commitment=promised,
            clock=new.clock,
            timeout_policy=new.timeout_policy,
            match=new.match[0],
            match_game=new.match[1],
            rated=new.rated,
            banks=new.banks,
        )
        opened = Table.open(rules, header)
        stored = StoredGame(opened.record, players, new.place, new.locale, secret)
        ready = await self._time.up_to(live_game(opened, stored), 0)
        table, pending = await self._settling.settle(ready, players, 0, secret)
        return live_game(table, replace(stored, record=table.record, secret=pending))

    async def seat(self, live: LiveGame) -> None:
        """Stores a new game as it is, and caches it after the commit. Raises PlaceTaken."""
        await self._commit.create(live)

    # --- finding -------------------------------------------------------------------------------------------------

    async def get(self, game_id: str, seq: int | None = None) -> LiveGame:
        """Returns the game, from the cache if that has at least ``seq`` entries, else from the database. Raises
        Refused.
        """
        return await self._live_games.get(game_id, seq)

    async def newest(self, game_id: str) -> LiveGame:
        """Returns the game, including entries of other processes. Raises Refused."""
        return await self._live_games.newest(game_id)

    async def at(self, channel_id: int) -> LiveGame | None:
        return await self._live_games.at(channel_id)

    async def latest_at(self, channel_id: int) -> LiveGame | None:
        """Returns the game that runs in a channel, or else the one that ended there last."""
        return await self._live_games.latest_at(channel_id)

    async def playing_at(self, channel_id: int | None) -> LiveGame:
        """Returns the game that runs in a channel. Raises Refused."""
        return require_game(None if channel_id is None else await self.at(channel_id))

    async def last_at(self, channel_id: int | None) -> LiveGame:
        """Returns the game that runs in a channel, or else the one that ended there last. Raises Refused."""
        return require_game(None if channel_id is None else await self.latest_at(channel_id))

    async def of(self, user_id: int) -> list[RunningGame]:
        """Returns the user's running games. The one with the oldest last entry comes first."""
        return await self.repository.running_of(user_id)

    def is_unreadable(self, game_id: str) -> bool:
        """Returns whether this process failed to read the game when it last tried."""
        return self._live_games.is_unreadable(game_id)

    async def waiting_for_machines(self, shards: Collection[int], count: int) -> list[str]:
        """Returns the ids of running games in these shards (out of ``count``) in which a machine may have to act."""
        return await self.repository.waiting_for_machines(shards, count, self._now() - LATE_MS)

    async def waiting(self, user_id: int, excluded_id: str) -> int:
        """Counts the running games that wait for the user's turn or answer, without ``excluded_id``."""
        return await self.repository.waiting_for(user_id, excluded_id)

    async def recent(self, user_id: int, limit: int) -> list[FinishedGame]:
        """Returns the user's finished games, the latest first."""
        return await self.repository.finished_by(user_id, limit)

    # --- playing -------------------------------------------------------------------------------------------------

    def may(self, live: LiveGame, user_id: int, action: Action) -> bool:
        """Returns whether the user may take this action now. Otherwise no button offers it."""
        return why_not(live, user_id, action, self._now()) is None

    def check(self, live: LiveGame, user_id: int, action: Action, detail: str = "") -> None:
        """Raises Refused, with the reason, if the user may not take this action now. ``detail``: the time control to
        offer.
        """
        if refused := why_not(live, user_id, action, self._now(), detail):
            raise refused

    async def play(self, game_id: str, user_id: int, seq: int | None, turn: str | Sequence[Any]) -> LiveGame:
        """Plays a whole turn, given by its steps or as typed text, and everything without choice after it.

        ``seq`` is the number of entries that the player has seen; None skips the check for stale presses. Raises any
        kind of RuleError, checked in this order: not a player, over, stale, not your turn, the rules of the game.
        """
        return await self._runner.run(
            game_id, user_id, seq, lambda live, seat, at: apply_turn(live.table, seat, turn, at)
        )

    async def resign(self, game_id: str, user_id: int, points: int, *, seq: int | None = None) -> LiveGame:
        """Resigns for ``points``. If the position could cost more, this is only an offer. Raises Refused."""
        return await self._runner.run(
            game_id,
            user_id,
            seq,
            lambda live, seat, at: self._open(live, seat, f"resign {points}", at).resign(seat, points, at),
        )

    async def resign_match(self, game_id: str, user_id: int) -> LiveGame:
        """Resigns the whole match that the game is part of. Raises Refused."""
        return await self._runner.run(game_id, user_id, None, lambda live, seat, at: live.table.resign_match(seat, at))

    async def ask_back(self, game_id: str, user_id: int, *, seq: int | None = None) -> LiveGame:
        """Asks the opponent for a takeback of the user's last turn.

        Raises Refused, for example if there is no turn to take back, or dice were rolled since.
        """
        return await self._runner.run(
            game_id, user_id, seq, lambda live, seat, at: self._open(live, seat, TAKEBACK, at).offer_takeback(seat, at)
        )

    async def answer(self, game_id: str, user_id: int, *, accept: bool, seq: int | None = None) -> LiveGame:
        """Answers the opponent's offer. Raises Refused."""
        return await self._runner.run(
            game_id, user_id, seq, lambda live, seat, at: live.table.answer(seat, at, accept=accept)
        )

    async def withdraw(self, game_id: str, user_id: int, *, seq: int | None = None) -> LiveGame:
        """Withdraws the user's own offer. Raises Refused."""
        return await self._runner.run(game_id, user_id, seq, lambda live, seat, at: live.table.withdraw(seat, at))

    async def claim(self, game_id: str, user_id: int, what: str, *, seq: int | None = None) -> LiveGame:
        """Claims a ``win`` or ``draw``: the opponent's time is up, or they were absent too long. Raises Refused."""
        return await self._runner.run(game_id, user_id, seq, lambda live, seat, at: live.table.claim(seat, what, at))

    async def offer(self, game_id: str, user_id: int, what: str, *, seq: int | None = None) -> LiveGame:
        """Offers ``draw``, ``pause``, or ``adjourn SPEC`` (another time control). Raises Refused."""
        return await self._runner.run(
            game_id, user_id, seq, lambda live, seat, at: self._open(live, seat, what, at).make_offer(seat, what, at)
        )

    async def resume(self, game_id: str, user_id: int, *, seq: int | None = None) -> LiveGame:
        """Asks to end a pause, or ends it if the opponent has asked. Raises Refused."""
        return await self._runner.run(game_id, user_id, seq, lambda live, seat, at: live.table.resume(seat, at))

    async def give_time(self, game_id: str, user_id: int, seq: int) -> LiveGame:
        """Gives the opponent time (``timekeeping.gift``), once for each ``seq``. Raises Refused."""

        def given(live: LiveGame, _: Seat, at: int) -> Table[Any, Any]:
            seat = live.seats_playing(user_id)[0]
            if any(entry.kind is Kind.GIVE and entry.seat == seat for entry in live.entries[max(seq, 0) :]):
                raise Refused("table.stale")
            return live.table.give(seat, at)

        return await self._runner.run(game_id, user_id, None, given)

    async def leave(self, game_id: str, user_id: int, pseudonym: int) -> LiveGame:
        """Ends a game because the user is gone for good: the opponent wins, or a short game is aborted.

        From then on the ``pseudonym``, a negative id, has the user's seat. Raises Refused, for example if the game is
        over.
        """
        leaver = Leaver(user_id, pseudonym)
        return await self._runner.run(game_id, user_id, None, lambda live, seat, at: live.table.leave(seat, at), leaver)

    async def adjudicate(
        self, game_id: str, result: Result, why: str = DECISION, *, also: Also | None = None
    ) -> LiveGame:
        """Ends a game, and its whole match, by a decision from outside.

        ``result``: ``0`` or ``1``, the seat that wins; ``draw``; or ``void`` for no result. ``why``, for a win:
        ``decision`` or ``forfeit``. ``also`` writes further data in the same transaction, after the hooks. Raises
        Refused if the game is over or does not exist.
        """
        return await self._runner.decide(game_id, lambda live, at: live.table.adjudicate(result, why, at), also)

    async def forfeit_mover(self, game_id: str) -> LiveGame:
        """Ends a game, and its whole match, by a forfeit of the player to move.

        Raises Refused if the game is over or does not exist, or if no player is to move.
        """

        def forfeited(live: LiveGame, at: int) -> Table[Any, Any]:
            if live.seat_to_act not in {0, 1}:
                raise Refused("table.stale")
            return live.table.adjudicate("1" if live.seat_to_act == 0 else "0", FORFEIT, at)

        return await self._runner.decide(game_id, forfeited, None)

    def forget(self, game_id: str) -> None:
        """Drops a game from the cache, as other code has changed its row."""
        self._live_games.forget(game_id)

    def forget_changed(self, game_id: str | None) -> None:
        """Drops a game that another process has changed from the cache; every game for None."""
        self._live_games.forget_changed(game_id)

    def forget_player(self, user_id: int | None) -> None:
        """Drops the games of a user whose id was replaced in the database from the cache; every game for None."""
        self._live_games.forget_player(user_id)

    # --- time ----------------------------------------------------------------------------------------------------

    async def tick(self, game_id: str) -> LiveGame:
        """Brings the record up to the present time: time off, losses on time. Idempotent.

        Raises Refused if the game does not exist.
        """
        return await self._runner.tick(game_id)

    async def credit(self, game_id: str, since: int, also: Also) -> LiveGame:
        """Credits the time since that moment (ms since 1970), in which nobody could play. ``also`` writes in the same
        transaction. Raises Refused if the game is over.
        """

        def credited(live: LiveGame, at: int) -> Table[Any, Any]:
            begin = max(since - live.started, 0)
            if live.clock is not None or begin >= at:  # the hooks have credited a running clock
                return live.table
            return live.table.append(Entry(at, Kind.CREDIT, CHANCE, f"{begin} {at}"))

        return await self._runner.decide(game_id, credited, also)

    async def with_time_off(self, live: LiveGame, user_id: int) -> LiveGame:
        """Returns the game. If its record allows the user a claim, adds time off first, as this may forbid
        the claim.
        """
        return await self.tick(live.id) if live.may_claim(user_id, self._now()) else live

    # --- place ---------------------------------------------------------------------------------------------------

    async def relocate(self, game_id: str, user_id: int, place: Place) -> tuple[LiveGame, LiveGame]:
        """Relocates a game to another place. Returns the game before and after.

        Raises Refused if the user is not a player, the game is over or already there, or another game runs there.
        """
        async with self._live_games.lock(game_id):
            before = await self._live_games.load(game_id)
            before.seats_playing(user_id)
            if before.place == place:
                raise Refused("place.here")
            after = await self._relocate(before, place, user_id)
        self._commit.notify(after)
        return before, after

    async def reopen(self, game_id: str, channel_id: int, place: Place, also: Also) -> LiveGame:
        """Relocates a game whose channel ``channel_id`` was deleted. ``also`` writes in the same transaction.

        Raises Refused if the game is over or no longer in that channel, or if another game runs at the new place.
        """
        async with self._live_games.lock(game_id):
            before = await self._live_games.load(game_id)
            if before.is_over:
                raise Refused("table.over")
            if before.place.channel_id != channel_id:
                raise Refused("table.stale")
            after = await self._relocate(before, place, None, also)
        self._commit.notify(after)
        return after

    async def _relocate(
        self, before: LiveGame, place: Place, user_id: int | None, also: Also | None = None
    ) -> LiveGame:
        """Stores the new place of a game, whose lock the caller holds. Raises Refused."""
        after = replace(before, place=place, message_id=None, shown_seq=min(before.shown_seq, before.seq - 1))
        try:
            await self._commit.relocate(before, after, user_id, also)
        except PlaceTaken as error:
            raise Refused("place.taken") from error
        except Conflict as error:
            raise Refused("table.stale") from error
        return after

    async def shown(
        self, game_id: str, seq: int, message_id: int | None, place: Place | None = None, also: Write | None = None
    ) -> None:
        """Stores that ``message_id`` shows ``seq`` entries: see ``GameCommit.mark_shown``."""
        async with self._live_games.lock(game_id):
            await self._commit.mark_shown(game_id, seq, message_id, place, also)

    def lease_boards(self, milliseconds: int, owner: int) -> None:
        """Leases the board of each changed game to this process, which shows it. 0: this process shows no boards.

        ``owner``: the number of this process as the owner of leases.
        """
        self._commit.board_lease_ms, self._commit.board_owner = milliseconds, owner


def require_game(live: LiveGame | None) -> LiveGame:
    """Returns the game. Raises Refused if it is None."""
    if live is None:
        raise Refused("place.no_game")
    return live
