"""Notices to players and organisers of the start and of rounds: one for each pairing, bye and deadline."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from bot.clocks.words import control
from bot.core.texts.quoting import escaped
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.notifications.model import DIRECT, PLACE, SERVER, NoticeKind, Notification
from bot.notifications.service import NotificationService
from bot.players.mentions import mention
from bot.players.service import PlayerNames
from bot.tournaments.notices import ACT, about
from bot.tournaments.results import round_names
from bot.tournaments.results.standing import left_out
from bot.tournaments.rounds.replays import better, is_drawn, is_replay
from bot.tournaments.tournament import (
    LateRule,
    PairingState,
    Player,
    PlayerStatus,
    Status,
    StoredPairing,
    Tournament,
    TournamentSnapshot,
)
from engine.tournament.model import Format, Result

PAIRED: Final = "round_paired"
BYE: Final = "round_bye"
WALKOVER: Final = "round_walkover"
"""A player of the round has no game, as the opponent is no longer in."""
DRAWN: Final = "round_drawn"
"""A replay in a knockout was drawn too: the better seed wins."""
DEADLINE: Final = "round_deadline"
LATE: Final = "round_late"
"""To the organisers, who must decide a game."""
NO_CHANNEL: Final = "round_channel"
"""To the organisers: the channel was deleted."""
STUCK: Final = "round_stuck"
"""To the organisers: games cannot be opened."""
CHECK_IN: Final = "tournament_check_in"
NO_SHOW: Final = "tournament_no_show"
CALLED_OFF: Final = "tournament_called_off"

BYES: Final = {
    Result.PAIRING_BYE: "tournament.notice.bye",
    Result.HALF_BYE: "tournament.notice.half_bye",
    Result.ZERO_BYE: "tournament.notice.zero_bye",
}
IN_BRACKET: Final = "tournament.notice.bye_in_bracket"
"""In a knockout or a play-off there are no points: whoever has the bye goes on."""
RULES: Final = {
    LateRule.EXTEND: "tournament.notice.deadline_extend",
    LateRule.FORFEIT: "tournament.notice.deadline_forfeit",
    LateRule.ORGANISER: "tournament.notice.deadline_organiser",
}


@dataclass(frozen=True, slots=True)
class Noticed:
    """The subject of a notice."""

    tournament: Tournament
    stored: StoredPairing | None
    """The pairing; None if the notice is about the whole tournament."""
    users: tuple[int, ...]
    """The players of the pairing, in its order."""
    sizes: Mapping[int, int]
    """The sizes of the tournament's brackets, by their stages."""


Find: TypeAlias = Callable[[str, int], Awaitable[Noticed | None]]
"""Finds the subject of a notice by the ids of its tournament and pairing."""
Expects: TypeAlias = Callable[[str, int], Awaitable[bool]]
"""Returns whether a tournament waits for a user to check in."""
EXPECTED: Final = frozenset({PlayerStatus.IN, PlayerStatus.WAITING})
"""The players who have to check in."""


class RoundNotices:
    """Makes the notices, and their texts when they are sent."""

    def __init__(self, find: Find, expects: Expects, notifications: NotificationService, names: PlayerNames) -> None:
        self._find = find
        self._expects = expects
        self._notifications = notifications
        self._names = names
        running = self._runs
        notifications.kinds |= {
            PAIRED: NoticeKind(self._text(_paired), running, (PLACE, DIRECT, SERVER)),
            BYE: NoticeKind(self._text(_bye)),
            WALKOVER: NoticeKind(self._text(_walkover)),
            DRAWN: NoticeKind(self._text(_drawn), self._is_drawn),
            DEADLINE: NoticeKind(self._text(_deadline), running),
            LATE: NoticeKind(self._text(_late), self._waits_for_organiser, (PLACE, DIRECT, SERVER), in_digest=False),
            NO_CHANNEL: NoticeKind(self._text(_channel), routes=(DIRECT, SERVER), in_digest=False),
            STUCK: NoticeKind(self._text(_stuck), routes=(DIRECT, SERVER), in_digest=False),
            CHECK_IN: NoticeKind(self._text(_check_in), self._is_to_check_in, in_digest=False),
            NO_SHOW: NoticeKind(self._text(_no_show)),
            CALLED_OFF: NoticeKind(self._text(_called_off)),
        }

    # --- making --------------------------------------------------------------------------------------------------

    def paired(
        self, tournament: Tournament, stored: StoredPairing, live: LiveGame, *, casual: str
    ) -> list[Notification]:
        """Makes a notice for each player of an opened game.

        ``casual``: the key of the reason why it is not rated, although the plan says so.
        """
        again = {"again": True} if stored.was_opened else {}
        stored = replace(stored, opened=live.started)
        channel, begins = live.place.channel_id, live.to_act
        return [
            self._notice(tournament, user, PAIRED, stored, channel, begins=user == begins, casual=casual, **again)
            for user in live.players
            if user > 0
        ]

    def byes(self, snapshot: TournamentSnapshot) -> list[Notification]:
        """Makes a notice for each player with a bye in the current round."""
        tournament = snapshot.tournament
        return [
            self._notice(tournament, player.user_id, BYE, stored, tournament.channel_id)
            for stored in snapshot.pairings
            if stored.pairing.round == tournament.round and stored.pairing.second is None
            if (player := snapshot.player(stored.pairing.first)).is_in and player.user_id > 0
        ]

    def walkovers(self, snapshot: TournamentSnapshot) -> list[Notification]:
        """Makes a notice for each player of the current round whose opponent was out when it was paired."""
        tournament, gone, made = snapshot.tournament, left_out(snapshot), []
        for stored in snapshot.pairings:
            if stored.pairing.round != tournament.round or stored.decided_by != "forfeit" or stored.was_opened:
                continue
            players = [snapshot.player(number) for number in stored.pairing.players]
            counts = gone.isdisjoint(stored.pairing.players)
            made += [
                self._notice(tournament, one.user_id, WALKOVER, stored, tournament.channel_id, counts=counts)
                for one in players
                if one.is_in and one.user_id > 0
            ]
        return made

    def withdrew(self, tournament: Tournament, seq: int, user_ids: Collection[int]) -> list[Notification]:
        """Makes a notice for each user about a withdrawal. ``seq``: that of its entry in the log."""
        return [about(self._notifications, tournament, user, ACT, seq=seq) for user in sorted(user_ids) if user > 0]

    def drawn(self, snapshot: TournamentSnapshot) -> list[Notification]:
        """Makes a notice for both players of each replay of the current round that was drawn too. Safe to repeat."""
        tournament = snapshot.tournament
        found = []
        for stored in snapshot.pairings:
            if stored.pairing.round != tournament.round or not is_drawn(stored) or not is_replay(stored):
                continue
            winner, channel = better(snapshot, stored), stored.channel_id or tournament.channel_id
            players = [snapshot.player(number) for number in stored.pairing.players]
            found += [
                self._notice(tournament, one.user_id, DRAWN, stored, channel, wins=one.number == winner)
                for one in players
                if one.user_id > 0
            ]
        return found

    def deadline(self, tournament: Tournament, stored: StoredPairing, players: Sequence[Player]) -> list[Notification]:
        """Makes a notice for each player whose game must end soon. Each deadline has its own, also a moved one."""
        channel, seq = stored.channel_id or tournament.channel_id, (stored.deadline or 0) // 1000 & 0x7FFFFFFF
        return [
            self._notice(tournament, player.user_id, DEADLINE, stored, channel, seq=seq)
            for player in players
            if player.user_id > 0
        ]

    def late(self, tournament: Tournament, stored: StoredPairing, organisers: Sequence[int]) -> list[Notification]:
        return [self._notice(tournament, user, LATE, stored, tournament.channel_id) for user in organisers]

    def check_in(self, tournament: Tournament, players: Sequence[Player], opened: int | None) -> list[Notification]:
        """Makes a notice for each person who has not checked in, also on the waiting list.

        ``opened``: the time at which the check-in opened, perhaps for the second time; None for the last call.
        """
        people = [player for player in players if player.status in EXPECTED and not player.checked_in]
        return self._of_start(tournament, CHECK_IN, people, opened)

    def of_start(self, before: TournamentSnapshot, after: TournamentSnapshot) -> list[Notification]:
        """Makes notices to players who were dropped at the start, or to all players if it was called off."""
        known = {player.number for player in before.players if player.is_in}
        dropped = [one for one in after.players if one.number in known and not one.is_in]
        if after.tournament.status is Status.CANCELLED:
            there = [one for one in after.players if one.is_in]
            return self._of_start(after.tournament, CALLED_OFF, [*dropped, *there])
        return self._of_start(after.tournament, NO_SHOW, dropped)

    def _of_start(
        self, tournament: Tournament, kind: str, players: Sequence[Player], opened: int | None = None
    ) -> list[Notification]:
        """Makes one notice of a kind for a start, or for each opening of the check-in."""
        moment = tournament.plan.starts or 0 if opened is None else opened
        seq = moment // 1000 & 0x3FFFFFFF | (opened is not None) << 30
        return [
            about(
                self._notifications,
                tournament,
                player.user_id,
                kind,
                urgent=kind == CHECK_IN,
                seq=seq,
                **({"waiting": True} if player.status is PlayerStatus.WAITING else {}),
            )
            for player in players
            if player.user_id > 0
        ]

    def to_organisers(
        self, tournament: Tournament, kind: str, organisers: Sequence[int], seq: int
    ) -> list[Notification]:
        """Makes notices of NO_CHANNEL or STUCK. One with the same ``seq`` is sent once."""
        return [about(self._notifications, tournament, user, kind, seq=seq) for user in organisers]

    def _notice(
        self,
        tournament: Tournament,
        user_id: int,
        kind: str,
        stored: StoredPairing,
        channel_id: int,
        *,
        seq: int = 0,
        **parameters: Any,
    ) -> Notification:
        seq = _occasion(stored, seq)
        return about(
            self._notifications, tournament, user_id, kind, channel_id=channel_id, seq=seq, n=stored.id, **parameters
        )

    # --- sending -------------------------------------------------------------------------------------------------

    def _text(
        self, words: Callable[[Notification, Noticed, Sequence[str], Language], str]
    ) -> Callable[[Notification, Language], Awaitable[str]]:
        async def text(notification: Notification, say: Language) -> str:
            noticed = await self._find(notification.subject, notification.n)
            if noticed is None:
                return ""
            known = await self._names.names(noticed.users, say)
            shown = [escaped(known[user]) or mention(user, say) for user in noticed.users]
            return words(notification, noticed, shown, say)

        return text

    async def _runs(self, notification: Notification) -> bool:
        return await self._state(notification) in {PairingState.RUNNING, PairingState.WAITING}

    async def _is_drawn(self, notification: Notification) -> bool:
        noticed = await self._find(notification.subject, notification.n)
        return noticed is not None and noticed.stored is not None and is_drawn(noticed.stored)

    async def _is_to_check_in(self, notification: Notification) -> bool:
        return await self._expects(notification.subject, notification.user_id)

    async def _waits_for_organiser(self, notification: Notification) -> bool:
        return await self._state(notification) is PairingState.LATE

    async def _state(self, notification: Notification) -> PairingState | None:
        noticed = await self._find(notification.subject, notification.n)
        return None if noticed is None or noticed.stored is None else noticed.stored.state


def _occasion(stored: StoredPairing, number: int) -> int:
    """Returns the number of this game of a pairing, as an organiser may have another one played."""
    return (stored.opened or 0) // 1000 % (1 << 29) * 2 + number


def _opponent(notification: Notification, noticed: Noticed, names: Sequence[str]) -> str:
    return next((name for user, name in zip(noticed.users, names, strict=True) if user != notification.user_id), "")


def _link(noticed: Noticed) -> str:
    channel = noticed.stored.channel_id if noticed.stored is not None else None
    return f"<#{channel or noticed.tournament.channel_id}>"


def _round(noticed: Noticed, say: Language) -> str:
    """Names the round of the pairing; empty if that was taken back."""
    if noticed.stored is None:
        return ""
    return round_names.of_pairing(noticed.tournament.plan, noticed.stored.pairing, noticed.sizes, say)


def _at(stored: StoredPairing | None) -> str:
    return f"<t:{(stored.deadline or 0) // 1000}:f>" if stored is not None else ""


def _paired(notification: Notification, noticed: Noticed, names: Sequence[str], say: Language) -> str:
    tournament, stored = noticed.tournament, noticed.stored
    opponent, link = _opponent(notification, noticed, names), _link(noticed)
    if stored is not None and stored.pairing.round:
        name, number = tournament.name, _round(noticed, say)
        said = [say("tournament.notice.paired", name=name, round=number, opponent=opponent, link=link)]
    else:
        said = [say("tournament.notice.paired_game", name=tournament.name, opponent=opponent, link=link)]
    if stored is not None and tournament.plan.is_play_off(stored.pairing):
        said.append(say("tournament.notice.play_off"))
    if notification.body.get("again"):
        said.append(say("tournament.notice.again"))
    elif stored is not None and is_replay(stored):
        said.append(say("tournament.notice.replay"))
    if notification.body.get("begins"):
        said.append(say("tournament.notice.begins"))
    if tournament.plan.clock:
        said.append(say("tournament.notice.clock", clock=control(tournament.plan.clock, say)))
    if stored is not None and stored.deadline is not None:
        answer = tournament.plan.format is Format.LADDER  # in a ladder, the deadline is for the first turns
        said.append(say("tournament.notice.answer" if answer else "tournament.notice.ends_game", at=_at(stored)))
    if casual := notification.body.get("casual"):  # formerly a boolean
        said.append(say(casual if isinstance(casual, str) else "tournament.notice.casual"))
    return " ".join(said)


def _bye(notification: Notification, noticed: Noticed, names: Sequence[str], say: Language) -> str:
    del notification, names
    if noticed.stored is None:
        return ""
    pairing = noticed.stored.pairing
    goes_on = pairing.slot and pairing.result is Result.PAIRING_BYE
    key = IN_BRACKET if goes_on else BYES[pairing.result or Result.ZERO_BYE]
    return say(key, name=noticed.tournament.name, round=_round(noticed, say))


def _walkover(notification: Notification, noticed: Noticed, names: Sequence[str], say: Language) -> str:
    if noticed.stored is None:
        return ""
    name, number, opponent = noticed.tournament.name, _round(noticed, say), _opponent(notification, noticed, names)
    told = say("tournament.notice.walkover", name=name, round=number, opponent=opponent)
    key = "tournament.notice.walkover_won" if notification.body["counts"] else "tournament.notice.walkover_uncounted"
    return f"{told} {say(key, opponent=opponent)}"


def _drawn(notification: Notification, noticed: Noticed, names: Sequence[str], say: Language) -> str:
    if noticed.stored is None:
        return ""
    key = "tournament.notice.drawn_won" if notification.body["wins"] else "tournament.notice.drawn_lost"
    opponent = _opponent(notification, noticed, names)
    return say(key, name=noticed.tournament.name, round=_round(noticed, say), opponent=opponent)


def _deadline(notification: Notification, noticed: Noticed, names: Sequence[str], say: Language) -> str:
    tournament, stored = noticed.tournament, noticed.stored
    rule = tournament.plan.late_rule
    if rule is LateRule.EXTEND and stored is not None and stored.extended:
        rule = LateRule.FORFEIT
    opponent = _opponent(notification, noticed, names)
    told = say(
        "tournament.notice.deadline", name=tournament.name, opponent=opponent, at=_at(stored), link=_link(noticed)
    )
    return f"{told} {say(RULES[rule], length=say.length(tournament.plan.extension))}"


def _late(notification: Notification, noticed: Noticed, names: Sequence[str], say: Language) -> str:
    del notification
    first, second = (*names, "", "")[:2]
    return say("tournament.notice.late", name=noticed.tournament.name, first=first, second=second, link=_link(noticed))


def _channel(notification: Notification, noticed: Noticed, names: Sequence[str], say: Language) -> str:
    del notification, names
    return say("tournament.notice.channel", name=noticed.tournament.name)


def _stuck(notification: Notification, noticed: Noticed, names: Sequence[str], say: Language) -> str:
    del notification, names
    return say("tournament.notice.stuck", name=noticed.tournament.name)


def _check_in(notification: Notification, noticed: Noticed, names: Sequence[str], say: Language) -> str:
    del names
    tournament = noticed.tournament
    at = f"<t:{(tournament.plan.starts or 0) // 1000}:R>"
    key = "tournament.notice.check_in_waiting" if notification.body.get("waiting") else "tournament.notice.check_in"
    return say(key, name=tournament.name, channel=f"<#{tournament.channel_id}>", at=at)


def _no_show(notification: Notification, noticed: Noticed, names: Sequence[str], say: Language) -> str:
    del notification, names
    return say("tournament.notice.no_show", name=noticed.tournament.name)


def _called_off(notification: Notification, noticed: Noticed, names: Sequence[str], say: Language) -> str:
    del notification, names
    return say("tournament.notice.called_off", name=noticed.tournament.name)
