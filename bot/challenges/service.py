"""Challenges: post, accept, decline, cancel, expire. Accepting one and starting its game is a single transaction."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.challenges.notices.service import ChallengeNotices
from bot.challenges.proposal import check_ratings
from bot.challenges.quotas import check_quotas
from bot.challenges.repository import POSTING_MS, AlreadyPosted, Challenge, ChallengeRepository, NotSeated, RematchOpen
from bot.challenges.tables import ACCEPTED, CANCELLED, DECLINED, OPEN
from bot.core.randomness import fresh_id
from bot.core.workers import backoff
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.running.commit import Also
from bot.games.service import GameService
from bot.games.stored import Place
from bot.matches.service import MatchService
from bot.notifications.service import NotificationService
from bot.players.machines import is_machine
from bot.players.mentions import is_former
from bot.ratings.pace import pace_of
from bot.ratings.service import RatingService
from engine.core.clock import TimeControl
from engine.core.errors import Refused
from engine.core.game import Seat
from engine.match.match import Terms
from engine.rating.glicko import Rating
from engine.registry import find

__all__ = ["Challenge", "ChallengeService"]

EXPIRED_AT_ONCE: Final = 500
"""The most challenges that expire in one transaction, so that others can write in between."""
BATCH: Final = 50
"""The most messages of challenges that one run edits, and the most that it searches for."""
RESERVED_MS: Final = 60_000
"""How long opening a thread may take. After that, anybody may accept the challenge again."""


class ChallengeService:
    """The use cases of a challenge.

    ``now`` returns milliseconds since 1970, ``coin`` 0 if the challenger takes the first seat, else 1.
    """

    def __init__(
        self,
        store: ChallengeRepository,
        games: GameService,
        now: Callable[[], int],
        expiry_seconds: int,
        coin: Callable[[], int],
        matches: MatchService,
        *,
        new_id: Callable[[], str] = fresh_id,
        ratings: RatingService | None = None,
        notifications: NotificationService | None = None,
        limited: bool = False,
    ) -> None:
        """Sets up the service. ``limited``: challenges per user are limited (``quotas``)."""
        self.store = store
        self.games = games
        self._matches = matches
        self.now = now
        self._expiry_ms = expiry_seconds * 1000
        self._coin = coin
        self._new_id = new_id
        self._ratings = ratings
        self._notices = None if notifications is None else ChallengeNotices(notifications)
        self._limited = limited
        self._listeners: list[Callable[[], None]] = []

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Calls ``listener`` whenever the message of a closed challenge must be edited at once."""
        self._listeners.append(listener)

    def wake(self) -> None:
        """Starts the editing of messages of closed challenges now."""
        for listener in self._listeners:
            listener()

    async def post(
        self,
        challenger: int,
        opponent: int | None,
        new: NewGame,
        *,
        terms: Terms | None = None,
        ratings: tuple[int | None, int | None] = (None, None),
        seat: Seat | None = None,
        challenge_id: str | None = None,
        replaced: Challenge | None = None,
    ) -> Challenge:
        """Stores a new open challenge. If it has ``replaced`` another, that one is cancelled and gives up its message.

        So nobody accepts terms by an old button that they have not seen. The timeout policy is ignored without a clock.
        ``ratings``: the lowest and the highest that may accept; None for any. ``seat``: the challenger's in the first
        game; None if it is drawn.

        Raises Refused if users challenge themselves, if the id is taken, or if ``replaced`` is not open; RuleError for
        a bad game, option or clock.
        """
        made = self._new(challenger, opponent, new, terms or Terms())
        challenge = replace(
            made,
            id=challenge_id or made.id,
            rating_low=ratings[0],
            rating_high=ratings[1],
            seat=seat,
            message_id=None if replaced is None else replaced.message_id,
        )
        try:
            await self._add(challenge, replaced)
        except AlreadyPosted as error:
            raise Refused("challenge.posted") from error
        return challenge

    async def rating(self, user_id: int, game: str, clock: str) -> Rating | None:
        """Returns a user's rating in a game with this clock; None if there are no ratings."""
        return await self._ratings.of(user_id, game, pace_of(clock)) if self._ratings else None

    async def may_rate(self, challenger: int, opponent: int | None) -> bool:
        return opponent is None or self._ratings is None or await self._ratings.may_rate(challenger, opponent)

    async def rematch(self, game_id: str, user_id: int, place: Place, locale: str, *, rates: bool = True) -> Challenge:
        """Challenges the opponent of a finished game or match to the same again, with exchanged seats.

        It is casual where the place does not rate such games (``rates``). Each game has at most one open rematch
        challenge: the refusal of a second one tells the opponent to accept the first. Raises Refused; RuleError if the
        game's options are no longer offered.
        """
        live = await self.games.newest(game_id)
        if user_id not in live.players:
            raise Refused("table.not_a_player")
        if not live.is_over:
            raise Refused("rematch.running")
        match = await self._matches.of(live)
        if match is not None and not match.is_over:
            raise Refused("rematch.match_running")
        header, (first, second) = live.record.header, live.players if match is None else match.players
        terms, options = (Terms(), header.options) if match is None else (match.terms, match.match.header.options)
        opponent = second if user_id == first else first
        if is_former(opponent):
            raise Refused("rematch.former")
        rated = header.rated and rates and await self.may_rate(user_id, opponent)
        new = NewGame(header.game, dict(options), place, locale, header.clock, header.timeout_policy, rated=rated)
        challenge = replace(self._new(user_id, opponent, new, terms), first=second, rematch_of=game_id)
        try:
            await self._add(challenge)
        except NotSeated as error:
            raise Refused("rematch.former") from error
        except RematchOpen as error:
            existing = await self.store.open_rematch(game_id)
            if existing is None:  # it has just been answered
                raise Refused("challenge.closed") from error
            key = "rematch.asked" if existing.challenger == user_id else "rematch.accept"
            raise Refused(key, channel=existing.place.channel_id) from error
        return challenge

    async def _add(self, challenge: Challenge, replaced: Challenge | None = None) -> None:
        """Stores a new challenge. Raises Refused if there are too many; AlreadyPosted, NotSeated, RematchOpen."""
        pair, guild_id = (challenge.challenger, challenge.opponent), challenge.place.guild_id
        quotas = partial(check_quotas, pair=pair, guild_id=guild_id, now=challenge.created)
        tell = None if self._notices is None else partial(self._notices.write, challenge=challenge, replaced=replaced)
        await self.store.add(challenge, tell, quotas if self._limited else None, replaced)

    def _new(self, challenger: int, opponent: int | None, new: NewGame, terms: Terms) -> Challenge:
        if challenger == opponent:
            raise Refused("challenge.self")
        created = self.now()
        return Challenge(
            id=self._new_id(),
            place=new.place,
            message_id=None,
            challenger=challenger,
            opponent=opponent,
            game=new.game,
            options=find(new.game).settle_options(new.options),
            locale=new.locale,
            created=created,
            # a machine accepts at once; or the process died in between
            expires=created + (POSTING_MS if is_machine(opponent) else self._expiry_ms),
            status=OPEN,
            game_id=None,
            answered_by=None,
            secret=self.games.luck.secret(),
            clock=str(TimeControl.parse(new.clock)) if new.clock else "",
            timeout_policy=new.timeout_policy if new.clock else "",
            points=terms.points,
            best_of=terms.best_of,
            bank=terms.bank,
            rated=new.rated,
        )

    async def pings(self, challenge: Challenge) -> bool:
        """Returns whether the message of a new challenge pings the challenged user. If not, they are told later."""
        return self._notices is None or await self._notices.pings(challenge)

    async def posted(self, challenge_id: str, message_id: int) -> None:
        await self.store.posted(challenge_id, message_id)

    async def unposted(self) -> list[Challenge]:
        """Returns at most BATCH challenges whose message should be stored by now and is not."""
        return await self.store.unposted(self.now(), BATCH)

    async def give_up(self, challenge_id: str) -> None:
        """Expires an open challenge that has no message."""
        await self.store.give_up(challenge_id)

    async def get(self, challenge_id: str) -> Challenge:
        challenge = await self.store.get(challenge_id)
        if challenge is None:
            raise Refused("challenge.unknown")
        return challenge

    async def _still_open(self, challenge_id: str) -> Challenge:
        """Returns the open challenge. Raises Refused if it is closed; the refusal says if it was changed."""
        challenge = await self.get(challenge_id)
        if await self.store.replacing(challenge) is not None:
            raise Refused("challenge.changed")
        return challenge.still_open(self.now())

    async def check_acceptable(self, challenge_id: str, user_id: int) -> Challenge:
        """Returns the challenge if the user may accept it now.

        Raises Refused if it is expired, closed, the user's own, made to another user, or for other ratings.
        """
        challenge = await self._still_open(challenge_id)
        if user_id == challenge.challenger:
            raise Refused("challenge.own")
        if challenge.opponent not in {None, user_id}:
            raise Refused("challenge.not_for_you")
        await self._check_rating(challenge, user_id)
        return challenge

    async def _check_rating(self, challenge: Challenge, user_id: int) -> None:
        """Raises Refused if the user's rating is outside the required range."""
        limits = (challenge.rating_low, challenge.rating_high)
        if limits != (None, None):
            found = await self.rating(user_id, challenge.game, challenge.clock)
            check_ratings(limits, None if found is None else found.rating)

    async def open_rematch(self, game_id: str) -> Challenge | None:
        """Returns the open challenge for a rematch of a finished game, if there is one."""
        return await self.store.open_rematch(game_id)

    async def reserve(self, challenge_id: str, user_id: int) -> None:
        """Reserves an open challenge for a user who is about to accept it, for RESERVED_MS at most. Raises Refused."""
        now = self.now()
        if not await self.store.reserve(challenge_id, user_id, now, now + RESERVED_MS):
            await self.check_acceptable(challenge_id, user_id)
            raise Refused("challenge.closed")

    async def release(self, challenge_id: str, user_id: int) -> None:
        await self.store.reserve(challenge_id, user_id, self.now(), 0)

    async def accept(
        self,
        challenge_id: str,
        user_id: int,
        place: Place,
        locale: str = "",
        *,
        rated: bool = True,
        also: Also | None = None,
    ) -> LiveGame:
        """Starts the game or match in ``place``. It is casual if it may not be ``rated``, or beyond the daily limit.

        ``locale``: the language of the game; empty for that of the challenge. ``also`` writes in the same transaction.
        Raises Refused as ``check_acceptable`` does, or if a game runs there.
        """
        challenge = await self.check_acceptable(challenge_id, user_id)
        pair = (challenge.challenger, user_id)
        drawn = self._coin() if challenge.seat is None else challenge.seat
        first = challenge.first if challenge.first in pair else pair[drawn]
        players = pair if first == pair[0] else pair[::-1]

        async def close(connection: AsyncConnection, live: LiveGame) -> None:
            if not await self.store.close(connection, challenge_id, self.now(), ACCEPTED, user_id, live.id):
                raise Refused("challenge.closed")
            if also is not None:
                await also(connection, live)

        new = NewGame(
            challenge.game,
            challenge.options,
            place,
            locale or challenge.locale,
            challenge.clock,
            challenge.timeout_policy,
            rated=rated and challenge.rated and await self.may_rate(*pair),
            secret=challenge.secret,
        )
        try:
            return await self._matches.open(challenge.terms, new, players, close)
        except Refused as refused:
            if refused.key == "place.taken":  # after two clicks at once it may be taken by this challenge's own game
                await self.check_acceptable(challenge_id, user_id)
            raise

    async def seeks(self, setting: str) -> list[Challenge]:
        """Returns the challenges to anyone that can be accepted now, the next to expire first.

        Only servers that have chosen a value of ``setting`` count.
        """
        return await self.store.seeks(self.now(), setting)

    async def decline(self, challenge_id: str, user_id: int) -> Challenge:
        """Declines a challenge. Raises Refused unless it was made to this user."""
        challenge = await self._still_open(challenge_id)
        if user_id != challenge.opponent:
            raise Refused("challenge.not_for_you")
        return await self._close(challenge_id, DECLINED, user_id)

    async def own(self, challenge_id: str, user_id: int, refusal: str) -> Challenge:
        """Returns the user's own open challenge. Raises Refused, with the key ``refusal`` if another user
        has made it.
        """
        challenge = await self._still_open(challenge_id)
        if user_id != challenge.challenger:
            raise Refused(refusal)
        return challenge

    async def cancel(self, challenge_id: str, user_id: int) -> Challenge:
        """Cancels a challenge. Raises Refused unless the user has made it."""
        await self.own(challenge_id, user_id, "challenge.not_yours")
        return await self._close(challenge_id, CANCELLED, user_id)

    async def pending_of(self, user_id: int) -> list[Challenge]:
        """Returns the open challenges that the user has made or was sent, the next to expire first."""
        return await self.store.pending_of(user_id, self.now())

    async def open_of(self, user_id: int) -> int:
        """Returns the number of open challenges that the user has made or was sent."""
        return await self.store.open_of(user_id)

    async def close_all_of(self, user_id: int) -> int:
        """Cancels the open challenges of a leaving user, and declines those made to them. Returns their number."""
        return await self.store.close_all_of(user_id)

    async def forget(self, before: int, limit: int) -> int:
        """Deletes up to ``limit`` closed challenges that expired before that moment. Returns their number."""
        return await self.store.forget(before, limit)

    async def expire(self) -> None:
        while await self.store.expire(self.now(), EXPIRED_AT_ONCE):
            pass

    async def next_expiry(self) -> int | None:
        """Returns when the next open challenge expires, in ms since 1970; None if there is none."""
        return await self.store.next_expiry()

    async def unshown(self) -> list[Challenge]:
        """Returns at most BATCH closed challenges whose message must be edited now."""
        return await self.store.unshown(self.now(), BATCH)

    async def closing_shown(self, challenge_id: str) -> None:
        """Stores that the message says how the challenge ended."""
        await self.store.closing_shown(challenge_id)

    async def attempt_failed(self, challenge: Challenge) -> None:
        """Stores that editing or searching for a message has failed, and when to try again."""
        await self.store.failed(challenge.id, challenge.attempts + 1, self.now() + backoff(challenge.attempts))

    async def _close(self, challenge_id: str, status: str, user_id: int) -> Challenge:
        async with self.store.database.writing() as connection:
            if not await self.store.close(connection, challenge_id, self.now(), status, user_id):
                raise Refused("challenge.closed")
        return await self.get(challenge_id)
