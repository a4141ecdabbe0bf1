"""An arena: pairs free players, who may rest and come back."""

from dataclasses import replace

from bot.tournaments.schedule import ARENA_WAIT, RESTING, arena_end, free_players
from bot.tournaments.service import Change
from bot.tournaments.tournament import PairingState, Player, Status, StoredPairing, TournamentSnapshot
from engine.core.errors import Refused
from engine.tournament.formats import arena
from engine.tournament.model import Format, Pairing


def is_pairing_due(snapshot: TournamentSnapshot, now: int) -> bool:
    """Returns whether two players have been free for long enough."""
    waited = [player for player in free_players(snapshot) if (player.free_since or 0) + ARENA_WAIT <= now]
    return now < arena_end(snapshot) and len(waited) > 1


async def pair(change: Change) -> bool:
    """Pairs the free players. Returns False if nobody can be paired now."""
    snapshot = change.snapshot
    if not is_pairing_due(snapshot, change.now):
        return False
    free = {player.number: player for player in free_players(snapshot)}
    waiting = [arena.Waiting(number, player.free_since or 0) for number, player in free.items()]
    pairs = arena.pair_free(waiting, snapshot.engine_pairings)
    if not pairs:
        return False
    last = len(snapshot.pairings)
    made = [
        StoredPairing(number, Pairing(1, 0, number, first, second), PairingState.WAITING)
        for number, (first, second) in enumerate(pairs, last + 1)
    ]
    await change.add_pairings(*made)
    await change.repository.touch_round(change.connection, change.tournament.id, 0)
    playing = [replace(free[number], free_since=None) for pair in pairs for number in pair]
    await change.set_players(*playing)
    return True


async def rest(change: Change, user_id: int) -> None:
    """Stops pairing a player until they come back. Raises Refused."""
    await change.set_players(replace(_player(change, user_id), free_since=RESTING))


async def come_back(change: Change, user_id: int) -> None:
    """Resumes pairing a player. Raises Refused."""
    player = _player(change, user_id)
    if player.free_since is not None and player.free_since != RESTING:
        return
    unfinished = (stored for stored in change.snapshot.pairings if stored.state is not PairingState.DONE)
    plays = any(player.number in stored.pairing.players for stored in unfinished)
    await change.set_players(replace(player, free_since=None if plays else change.now))


def _player(change: Change, user_id: int) -> Player:
    """Returns the player of an arena. Raises Refused."""
    tournament = change.tournament
    if tournament.plan.format is not Format.ARENA or tournament.status is not Status.RUNNING:
        raise Refused("tournament.rounds.arena_over")
    player = change.snapshot.of_user(user_id)
    if player is None or not player.is_in:
        raise Refused("tournament.rounds.not_in")
    return player
