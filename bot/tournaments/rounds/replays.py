"""Drawn games of a knockout or a play-off: the first one is played again, after the second one the better seed wins."""

from bot.tournaments.results.standing import fields, stage_of
from bot.tournaments.tournament import Status, StoredPairing, TournamentSnapshot
from engine.tournament.formats.bracket import slots
from engine.tournament.model import KNOCKOUTS, Result


def is_drawn(stored: StoredPairing) -> bool:
    """Returns whether it is a draw in a place that somebody has to win."""
    return bool(stored.pairing.slot) and stored.result is Result.DRAW


def is_replay(stored: StoredPairing) -> bool:
    return stored.pairing.attempt > 1


def first_attempt(snapshot: TournamentSnapshot, stored: StoredPairing) -> StoredPairing:
    """Returns the first game in the place of this one, or the game itself if it is no replay."""
    if not is_replay(stored):
        return stored
    return next(one for one in snapshot.pairings if _place(one) == _place(stored))


def is_played_again(snapshot: TournamentSnapshot, stored: StoredPairing) -> bool:
    """Returns whether a first draw is played again. It is not if the tournament has ended before."""
    place = _place(stored)
    again = any(is_replay(other) and _place(other) == place for other in snapshot.pairings)
    return again or snapshot.tournament.status is Status.RUNNING


def better(snapshot: TournamentSnapshot, stored: StoredPairing) -> int:
    """Returns the player who wins a pairing after its second draw."""
    pairing = stored.pairing
    stage = stage_of(snapshot, pairing.stage)
    seeds = [entrant.id for entrant in fields(snapshot, pairing.stage)]
    if stage.format in KNOCKOUTS:
        bracket = slots(pairing.stage, stage, seeds, snapshot.engine_pairings)
        if winner := next((slot.winner for slot in bracket if slot.id == pairing.slot), None):
            return winner
    strength = {player: place for place, player in enumerate(seeds)}
    return min(pairing.players, key=lambda player: strength.get(player, len(strength)))


def waiting(snapshot: TournamentSnapshot) -> list[int]:
    """Returns the players of a knockout who have no pairing in the current round, as others play again; else []."""
    here = [one for one in snapshot.pairings if one.pairing.round == snapshot.tournament.round]
    if not any(is_replay(one) for one in here):
        return []
    number = here[0].pairing.stage
    stage = stage_of(snapshot, number)
    if stage.format not in KNOCKOUTS:
        return []
    busy = {player for one in here for player in one.pairing.players}
    seeds = [entrant.id for entrant in fields(snapshot, number)]
    bracket = slots(number, stage, seeds, snapshot.engine_pairings)
    there = dict.fromkeys(player for slot in bracket if not slot.decided for player in slot.players if player)
    return [player for player in there if player not in busy and snapshot.player(player).is_in]


def _place(stored: StoredPairing) -> tuple[int, int, str]:
    return stored.pairing.stage, stored.pairing.section, stored.pairing.slot
