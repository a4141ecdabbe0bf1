"""Moves deadlines by the length of outages of an hour or more, as nobody could play meanwhile.

They also move the end of a break between rounds, as nobody could correct a result.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.clocks.heartbeats.service import Outage
from bot.tournaments.schedule import WARNED_BEFORE, break_end, displaced_for
from bot.tournaments.service import Change
from bot.tournaments.tournament import PairingState, StoredPairing, TournamentSnapshot
from engine.core.hours import HOUR

SHORTEST: Final = HOUR
"""The shortest outage that moves deadlines, in ms."""


def begin(snapshot: TournamentSnapshot) -> int:
    """Returns the time up to which outages are credited, in ms since 1970."""
    return max(snapshot.tournament.credited_until, snapshot.tournament.started or 0)


def has_deadlines(snapshot: TournamentSnapshot) -> bool:
    """Returns whether a running game has a deadline, or there is a break between rounds."""
    return break_end(snapshot) is not None or any(_can_move(stored) for stored in snapshot.pairings)


def counted(snapshot: TournamentSnapshot, outages: Sequence[Outage]) -> list[Outage]:
    """Returns the outages that are still to be credited, without their credited parts."""
    since = begin(snapshot)
    rest = (replace(outage, since=max(outage.since, since)) for outage in outages if outage.until > since)
    return [outage for outage in rest if outage.until - outage.since >= SHORTEST]


async def credit(change: Change, outages: Sequence[Outage]) -> None:
    """Moves the deadlines of running games and the end of a break."""
    found = counted(change.snapshot, outages)
    if not found:
        return
    shift = sum(outage.until - outage.since for outage in found)
    credited, until = change.tournament.credited_until, max(outage.until for outage in found)
    tournament = replace(change.tournament, credited_until=until)
    if (ends := break_end(change.snapshot)) is not None:
        tournament = replace(tournament, break_until=ends + shift)
        await change.repository.touch_round(change.connection, tournament.id, tournament.round)
    await change.set(tournament)
    rounds = set()
    for stored in change.snapshot.pairings:
        if stored.deadline is not None and _can_move(stored):
            deadline = stored.deadline + max(_shift(stored, found), displaced_for(stored, until, credited))
            warned = stored.warned and deadline - WARNED_BEFORE <= change.now
            await change.set_pairing(replace(stored, deadline=deadline, warned=warned))
            rounds.add(stored.pairing.round)
    for number in rounds:
        await change.repository.shift_round(change.connection, change.tournament.id, number, shift)
    await change.log("away", milliseconds=shift)


def _can_move(stored: StoredPairing) -> bool:
    return stored.deadline is not None and stored.state in {PairingState.WAITING, PairingState.RUNNING}


def _shift(stored: StoredPairing, outages: Sequence[Outage]) -> int:
    """Returns the total time of the outages after the game was opened."""
    return sum(max(0, outage.until - max(outage.since, stored.opened or 0)) for outage in outages)
