"""A new round, and the end of a tournament."""

from dataclasses import replace

from bot.tournaments.results.standing import awarded, early
from bot.tournaments.rounds.steps import breaks, settling
from bot.tournaments.schedule import WARNED_BEFORE
from bot.tournaments.service import Change
from bot.tournaments.tournament import PairingState, Status, StoredPairing, StoredRound, TournamentSnapshot
from engine.tournament.model import Round


async def add_round(change: Change, made: Round) -> None:
    """Writes a new round. Byes and forfeits are done at once."""
    tournament, now = change.tournament, change.now
    plan = tournament.plan
    deadline = now + plan.round_length if plan.round_length else None
    stored = StoredRound(made.number, made.stage, now, deadline)
    await change.repository.add_round(change.connection, tournament.id, stored)
    last = max((stored.id for stored in change.snapshot.pairings), default=0)
    pairings = []
    for number, pairing in enumerate(made.pairings, last + 1):
        if pairing.result is None:
            warned = deadline is None or plan.round_length <= WARNED_BEFORE
            pairings.append(StoredPairing(number, pairing, PairingState.WAITING, deadline=deadline, warned=warned))
        else:
            by = settling.BY_BYE if pairing.result.is_bye else settling.BY_FORFEIT
            pairings.append(StoredPairing(number, pairing, PairingState.DONE, decided_by=by, ended=now))
    await change.add_pairings(*pairings)
    await breaks.update_message(change)
    await change.set(replace(tournament, round=made.number, credited_until=now, break_until=None))
    await change.log("paired", None, stage=made.stage, pairings=len(pairings))


async def finish(change: Change) -> None:
    """Ends a tournament: writes its places, and plans its last message. The caller writes the log."""
    placed_at = {one.entrant: one for one in awarded(change.snapshot)}
    placed = [
        replace(player, first_place=place.first, last_place=place.last, free_since=None)
        for player in change.snapshot.players
        if (place := placed_at.get(player.number)) is not None
    ]
    await change.set_players(*placed)
    await breaks.update_message(change)
    now = change.now
    repeat_at = now if change.tournament.plan.repeats else None
    over = replace(change.tournament, status=Status.OVER, ended=now, closing_at=now, break_until=None)
    await change.set(replace(over, repeat_at=repeat_at))


async def end(change: Change) -> None:
    """Ends a tournament after its last round. The log says if a Swiss could not be paired any more."""
    act = "finished_early" if early(change.snapshot) else "finished"
    await finish(change)
    await change.log(act)


def is_unchanged(before: TournamentSnapshot, now: TournamentSnapshot) -> bool:
    """Returns whether a round that was paired from ``before`` is still valid."""
    return (
        before.tournament.round == now.tournament.round
        and before.tournament.break_until == now.tournament.break_until
        and before.tournament.plan.stages == now.tournament.plan.stages
        and now.tournament.status is Status.RUNNING
        and now.tournament.paused is None
        and before.entrants == now.entrants
        and before.engine_pairings == now.engine_pairings
    )
