"""Notices about several games of one user in a tournament: one instead of one for each game."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, TypeAlias

from bot.clocks.words import control
from bot.core.texts.quoting import escaped
from bot.core.translations import Language
from bot.notifications.model import DIRECT, PLACE, SERVER, NoticeKind, Notification
from bot.notifications.service import NotificationService
from bot.players.mentions import mention
from bot.players.service import PlayerNames
from bot.tournaments.notices import about
from bot.tournaments.rows import UnreadableTournament
from bot.tournaments.tournament import LateRule, PairingState, Player, StoredPairing, Tournament, TournamentSnapshot
from engine.core.hours import MINUTE

BEGUN: Final = "round_begun"
"""All games of a table have begun at once."""
DEADLINES: Final = "round_deadlines"
LATES: Final = "round_lates"
"""To the organisers, who must decide several games."""
OPENING: Final = MINUTE
"""The time before the notice of all games, in which they are opened, so that it can link to them."""
SHOWN: Final = 12
"""The most late games that are named."""

Snapshot: TypeAlias = Callable[[str], Awaitable[TournamentSnapshot | None]]
"""Finds a tournament by its id. Raises UnreadableTournament."""
Choice: TypeAlias = Callable[[Notification, TournamentSnapshot], list[StoredPairing]]
"""Returns the games that a notice is still about."""
Words: TypeAlias = Callable[[Notification, Tournament, Sequence[StoredPairing], str, Language], str]
"""Returns the text for these games, which are listed already."""


class GroupedNotices:
    """Makes the notices, and their texts at the time of sending."""

    def __init__(self, find: Snapshot, notifications: NotificationService, names: PlayerNames) -> None:
        self._find = find
        self._notifications = notifications
        self._names = names
        notifications.kinds |= {
            BEGUN: self._kind(_of_table, _begun),
            DEADLINES: self._kind(_with_deadline, _deadlines),
            LATES: self._kind(_late, _lates, (PLACE, DIRECT, SERVER), in_digest=False),
        }

    # --- making --------------------------------------------------------------------------------------------------

    def begun(self, snapshot: TournamentSnapshot, now: int) -> list[Notification]:
        """Makes one for each player whose games of the current round all begin at once."""
        tournament = snapshot.tournament
        games = [
            stored
            for stored in snapshot.pairings
            if stored.pairing.round == tournament.round and stored.state is PairingState.WAITING
            if tournament.plan.begins_at_once(stored.pairing)
        ]
        numbers = {number for stored in games for number in stored.pairing.players}
        seq, due = now // 1000 & 0x7FFFFFFF, now + OPENING
        return [
            about(self._notifications, tournament, one.user_id, BEGUN, seq=seq, n=tournament.round, due=due)
            for one in snapshot.players
            if one.number in numbers and one.user_id > 0
        ]

    def deadlines(self, tournament: Tournament, deadline: int, player: Player) -> Notification:
        """Makes the one about several games of a player that must end by the same time."""
        seq = deadline // 1000 & 0x7FFFFFFF
        return about(self._notifications, tournament, player.user_id, DEADLINES, seq=seq, deadline=deadline)

    def late(self, tournament: Tournament, organisers: Sequence[int], now: int) -> list[Notification]:
        """Makes one for each organiser about several late games."""
        seq = now // 1000 & 0x7FFFFFFF
        return [about(self._notifications, tournament, user, LATES, seq=seq) for user in organisers]

    # --- sending -------------------------------------------------------------------------------------------------

    def _kind(
        self,
        choose: Choice,
        words: Words,
        routes: tuple[str, ...] = (DIRECT, PLACE, SERVER),
        *,
        in_digest: bool = True,
    ) -> NoticeKind:
        async def text(notification: Notification, say: Language) -> str:
            snapshot, games = await chosen(notification)
            if snapshot is None or not games:
                return ""
            listed = await self._listed(notification, snapshot, games, say)
            return words(notification, snapshot.tournament, games, listed, say)

        async def is_current(notification: Notification) -> bool:
            return bool((await chosen(notification))[1])

        async def chosen(notification: Notification) -> tuple[TournamentSnapshot | None, list[StoredPairing]]:
            try:
                snapshot = await self._find(notification.subject)
            except UnreadableTournament:
                return None, []
            return snapshot, [] if snapshot is None else choose(notification, snapshot)

        return NoticeKind(text, is_current, routes, in_digest=in_digest)

    async def _listed(
        self, notification: Notification, snapshot: TournamentSnapshot, games: Sequence[StoredPairing], say: Language
    ) -> str:
        """Lists games by the opponents of the reader, or by both players if it is not theirs, with their threads."""
        users = {player.number: player.user_id for player in snapshot.players}
        known = await self._names.names(users.values(), say)
        shown = {number: escaped(known[user]) or mention(user, say) for number, user in users.items()}
        items = []
        for stored in games[:SHOWN] if notification.kind == LATES else games:
            there = [number for number in stored.pairing.players if users[number] != notification.user_id]
            thread = "" if stored.channel_id is None else f" <#{stored.channel_id}>"
            items.append(" – ".join(shown[number] for number in there) + thread)  # noqa: RUF001  a dash between the two
        return ", ".join(items)


def by_deadline(warned: Iterable[StoredPairing]) -> dict[tuple[int, int], list[StoredPairing]]:
    """Returns games by their players and deadlines."""
    found: dict[tuple[int, int], list[StoredPairing]] = defaultdict(list)
    for stored in warned:
        for number in stored.pairing.players:
            found[number, stored.deadline or 0].append(stored)
    return found


def _unfinished(notification: Notification, snapshot: TournamentSnapshot) -> list[StoredPairing]:
    player = snapshot.of_user(notification.user_id)
    return [
        stored
        for stored in snapshot.pairings
        if player is not None and player.number in stored.pairing.players and stored.state is not PairingState.DONE
    ]


def _of_table(notification: Notification, snapshot: TournamentSnapshot) -> list[StoredPairing]:
    return [one for one in _unfinished(notification, snapshot) if one.pairing.round == notification.n]


def _with_deadline(notification: Notification, snapshot: TournamentSnapshot) -> list[StoredPairing]:
    return [one for one in _unfinished(notification, snapshot) if one.deadline == notification.body["deadline"]]


def _late(_notification: Notification, snapshot: TournamentSnapshot) -> list[StoredPairing]:
    return [stored for stored in snapshot.pairings if stored.state is PairingState.LATE]


def _begun(
    _notification: Notification, tournament: Tournament, games: Sequence[StoredPairing], listed: str, say: Language
) -> str:
    said = [say("tournament.notice.begun", name=tournament.name, n=len(games), games=listed)]
    if tournament.plan.clock:
        said.append(say("tournament.notice.clock", clock=control(tournament.plan.clock, say)))
    if (deadline := games[0].deadline) is not None:
        said.append(say("tournament.notice.ends", at=f"<t:{deadline // 1000}:f>"))
    return " ".join(said)


def _deadlines(
    notification: Notification, tournament: Tournament, games: Sequence[StoredPairing], listed: str, say: Language
) -> str:
    at = f"<t:{notification.body['deadline'] // 1000}:f>"
    rule = tournament.plan.late_rule
    if rule is LateRule.EXTEND and games[0].extended:
        rule = LateRule.FORFEIT
    told = say("tournament.notice.deadlines", name=tournament.name, n=len(games), at=at, games=listed)
    return f"{told} {say(f'tournament.notice.deadlines_{rule}', length=say.length(tournament.plan.extension))}"


def _lates(
    _notification: Notification, tournament: Tournament, games: Sequence[StoredPairing], listed: str, say: Language
) -> str:
    more = len(games) - SHOWN
    shown = say("tournament.notice.lates_more", games=listed, n=more) if more > 0 else listed
    return say("tournament.notice.lates", name=tournament.name, n=len(games), games=shown)
