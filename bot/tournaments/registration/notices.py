"""Notices before the start, to players who move up from the waiting list or are entered by others."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, cast

from bot.clocks.words import stamp
from bot.core.translations import Language
from bot.notifications.model import NoticeKind, Notification
from bot.notifications.service import NotificationService
from bot.players.mentions import mention
from bot.tournaments import start_words
from bot.tournaments.notices import about
from bot.tournaments.service import Change, TournamentService
from bot.tournaments.tournament import LogEntry, Player, Status, Tournament, TournamentSnapshot
from engine.core.errors import Refused
from engine.core.hours import MINUTE

MOVED_UP: Final = "tournament_moved_up"
ENTERED: Final = "tournament_entered"
ENTERED_BY: Final = "entered"
"""The entry of the log: an organiser has entered the user."""


TOGETHER: Final = 10 * MINUTE
"""How long one entry of the log takes further players of the same organiser."""


class RegistrationNotices:
    """Writes the notices, and makes their texts when they are sent."""

    def __init__(self, tournaments: TournamentService, notifications: NotificationService) -> None:
        self._tournaments = tournaments
        self._notifications = notifications
        notifications.kinds |= {
            MOVED_UP: NoticeKind(self._text, self._is_in),
            ENTERED: NoticeKind(self._entered, self._is_there),
        }
        tournaments.moved_up.append(self._tell)

    async def _tell(self, change: Change, players: Sequence[Player]) -> None:
        """Writes one notice for each player. A player who leaves and comes in again gets another one."""
        await self._write(change, MOVED_UP, players)

    async def entered(self, change: Change, player: Player, organiser: int) -> None:
        """Logs that an organiser has entered a player, and notifies the player, who may have to check in at once."""
        entered = change.tournament
        seq = await self._log(change, player, organiser)
        urgent = entered.status is Status.CHECK_IN
        notice = about(self._notifications, entered, player.user_id, ENTERED, urgent=urgent, seq=seq)
        await self._notifications.write(change.connection, notice)

    async def _log(self, change: Change, player: Player, organiser: int) -> int:
        """Logs it, in one entry for all players whom an organiser enters together. Returns the seq of the entry."""
        tournament, repository = change.tournament, change.repository
        last = await repository.newest_entry(change.connection, tournament.id)
        detail: dict[str, object] = {"first_round": player.first_round, "players": [player.number]}
        if last is not None and _is_continued(last, tournament, player, organiser, change.now):
            players = [*cast("list[int]", last.detail["players"]), player.number]
            entry = replace(last, detail={**detail, "players": players}, subject=None)
            await repository.amend(change.connection, tournament.id, entry)
            return last.seq
        entry = LogEntry(0, change.now, organiser, ENTERED_BY, tournament.round, detail, subject=player.user_id)
        return await change.log_entry(entry)

    async def _write(self, change: Change, kind: str, players: Sequence[Player]) -> None:
        tournament = change.tournament
        written = [
            about(self._notifications, tournament, player.user_id, kind, seq=player.joined // 1000 & 0x7FFFFFFF)
            for player in players
            if player.user_id > 0
        ]
        await self._notifications.write(change.connection, *written)

    async def _text(self, notification: Notification, say: Language) -> str:
        snapshot, player = await self._player(notification)
        if snapshot is None or player is None:
            return ""
        found = snapshot.tournament
        said = say("tournament.moved_up", name=found.name, channel=f"<#{found.channel_id}>")
        return " ".join([said, *_until_start(found, player, say)])

    async def _entered(self, notification: Notification, say: Language) -> str:
        snapshot, player = await self._player(notification)
        if snapshot is None or player is None:
            return ""
        found = snapshot.tournament
        entry = next(iter(await self._tournaments.repository.log_of(found.id, 1, notification.seq + 1)), None)
        if entry is None or entry.act != ENTERED_BY or entry.actor is None:
            return ""
        key = "tournament.entered" if player.is_in else "tournament.entered.waiting"
        said = [say(key, organiser=mention(entry.actor, say), name=found.name, channel=f"<#{found.channel_id}>")]
        if player.is_in and player.first_round > 1:
            said.append(say("tournament.entered.late", n=player.first_round))
        else:
            said += _until_start(found, player, say)
        return " ".join([*said, say("tournament.entered.leave")])

    async def _is_in(self, notification: Notification) -> bool:
        snapshot, player = await self._player(notification)
        return snapshot is not None and player is not None and player.is_in and snapshot.tournament.status.is_active

    async def _is_there(self, notification: Notification) -> bool:
        snapshot, player = await self._player(notification)
        return (
            snapshot is not None and player is not None and not player.reason and snapshot.tournament.status.is_active
        )

    async def _player(self, notification: Notification) -> tuple[TournamentSnapshot | None, Player | None]:
        try:
            snapshot = await self._tournaments.snapshot(notification.subject)
        except Refused:
            return None, None
        return snapshot, snapshot.of_user(notification.user_id)


def _until_start(tournament: Tournament, player: Player, say: Language) -> list[str]:
    """Returns when it starts, and whether the player has to check in before. Nothing once it has started."""
    plan = tournament.plan
    if not tournament.status.is_open:
        return []
    said = [f"{start_words.start(plan, say).rstrip('.')}."]
    if plan.check_in and plan.starts is not None and not player.checked_in:
        now = tournament.status is Status.CHECK_IN
        when = stamp(plan.starts - plan.check_in, "f")
        said.append(say("tournament.entered.check_in_now") if now else say("tournament.entered.check_in", when=when))
    return said


def _is_continued(last: LogEntry, tournament: Tournament, player: Player, organiser: int, now: int) -> bool:
    """Returns whether the entry also takes this player, who is not in it yet."""
    same = (last.act, last.actor, last.round) == (ENTERED_BY, organiser, tournament.round)
    players = last.detail.get("players", [player.number])  # entries of earlier versions name no players
    alike = last.detail.get("first_round") == player.first_round and player.number not in cast("list[int]", players)
    return same and alike and now - last.at < TOGETHER
