"""The notice to a player whose games were reopened: one for all games of a deleted channel, with their new places."""

from collections.abc import Sequence
from typing import Final

from bot.core.texts.quoting import escaped
from bot.core.translations import Language
from bot.games.service import GameService
from bot.matches.service import MatchService
from bot.notifications.model import DIRECT, PLACE, SERVER, NoticeKind
from bot.notifications.service import Notification, NotificationService
from bot.players.mentions import mention
from bot.players.service import PlayerNames
from bot.tournaments.notices import about
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import PairingState, StoredPairing, Tournament, TournamentSnapshot
from engine.core.errors import Refused

REOPENED: Final = "round_reopened"
LISTED: Final = 10
"""The most games that are named."""
GOING: Final = frozenset({PairingState.RUNNING, PairingState.LATE})


class ReopeningNotices:
    def __init__(
        self,
        notifications: NotificationService,
        tournaments: TournamentService,
        games: GameService,
        matches: MatchService,
        names: PlayerNames,
    ) -> None:
        self._notifications = notifications
        self._tournaments = tournaments
        self._games = games
        self._matches = matches
        self._names = names
        notifications.kinds[REOPENED] = NoticeKind(self._text, self._is_current, (PLACE, DIRECT, SERVER))

    def reopened(
        self, tournament: Tournament, user_id: int, since: int, stored: StoredPairing, *, alone: bool
    ) -> Notification:
        """Makes the notice to a player, who gets one for each deletion. ``since``: when the channel was deleted.

        It is posted in the place of ``stored``. ``alone``: only the thread of that game was deleted; else the notice
        is about all games of the player that run when it is sent.
        """
        seq, n = since // 1000 & 0x7FFFFFFF, stored.id if alone else 0
        return about(self._notifications, tournament, user_id, REOPENED, channel_id=stored.channel_id, seq=seq, n=n)

    async def _text(self, notification: Notification, say: Language) -> str:
        found = await self._shown(notification)
        if found is None or not found[1]:
            return ""
        snapshot, games = found
        parts = [await self._game(snapshot, stored, notification.user_id, say) for stored in games[:LISTED]]
        if len(games) > LISTED:
            parts.append(say("tournament.notice.reopened_more", n=len(games) - LISTED))
        name = snapshot.tournament.name
        return say("tournament.notice.reopened", name=name, n=len(games), games=say.listed(parts))

    async def _game(self, snapshot: TournamentSnapshot, stored: StoredPairing, user_id: int, say: Language) -> str:
        """Returns a game in words: its place, the opponent, and whether the player is to move."""
        users = [snapshot.player(number).user_id for number in stored.pairing.players]
        other = next((user for user in users if user != user_id), user_id)
        opponent = escaped((await self._names.names([other], say))[other]) or mention(other, say)
        contest_id, game_id = stored.contest_id or "", stored.game_id or ""
        if contest_id != game_id:
            game_id = (await self._matches.game_ids(contest_id))[-1]
        live = await self._games.newest(game_id)
        key = "tournament.notice.reopened_yours" if live.awaited == user_id else "tournament.notice.reopened_game"
        return say(key, link=f"<#{live.place.channel_id}>", opponent=opponent)

    async def _is_current(self, notification: Notification) -> bool:
        found = await self._shown(notification)
        return found is not None and bool(found[1])

    async def _shown(self, notification: Notification) -> tuple[TournamentSnapshot, Sequence[StoredPairing]] | None:
        """Returns the tournament and the running games that the notice is about; None if it cannot be read."""
        try:
            snapshot = await self._tournaments.snapshot(notification.subject)
        except Refused:
            return None
        player = snapshot.of_user(notification.user_id)
        number = 0 if player is None else player.number
        theirs = [one for one in snapshot.pairings if one.state in GOING and number in one.pairing.players]
        return snapshot, [one for one in theirs if notification.n in {0, one.id}]
