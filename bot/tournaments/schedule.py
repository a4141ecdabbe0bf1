"""The times at which a tournament has something to do, as a function of its state."""

from typing import Final

from bot.tournaments.tournament import NEVER, PairingState, Plan, Player, Status, StoredPairing, TournamentSnapshot
from engine.core.hours import DAY, HOUR, MINUTE
from engine.tournament.model import IN_ROUNDS, Format

WARNED_BEFORE: Final = DAY
"""The time between the warning of a round's players and its deadline."""
LAST_CALL: Final = 5 * MINUTE
"""The time between the last ping of players who have not checked in and the start."""
ARENA_WAIT: Final = 3_000
"""The time for which a free player of an arena waits before the pairing, so that others become free, too."""
RESTING: Final = NEVER
"""``Player.free_since`` of a resting player, who is not paired, not even after a game that still runs."""
LADDER_LOOK: Final = HOUR
"""The time between two searches of a ladder for idle players."""


def next_look(snapshot: TournamentSnapshot, now: int) -> int:
    """Returns the next moment with something to do, in ms since 1970; ``now`` or earlier means at once."""
    tournament = snapshot.tournament
    plan = tournament.plan
    if tournament.paused is not None:
        return NEVER
    if tournament.status in {Status.REGISTRATION, Status.CHECK_IN}:
        if plan.starts is None:
            return NEVER
        if plan.check_in and tournament.status is Status.REGISTRATION:
            return plan.starts - plan.check_in
        call = last_call(plan)
        return plan.starts if call is None or now >= call else call
    if tournament.status is not Status.RUNNING:
        return NEVER
    unfinished = [stored for stored in snapshot.pairings if stored.state is not PairingState.DONE]
    out = {player.number for player in snapshot.players if not player.is_in}
    if any(out.intersection(stored.pairing.players) for stored in unfinished):
        return now
    deadlines = min((due_of(stored) for stored in unfinished), default=NEVER)
    if plan.format in IN_ROUNDS:
        return deadlines if unfinished else break_end(snapshot) or now
    if plan.format is Format.ARENA:
        return min(deadlines, _arena_look(snapshot, unfinished, now))
    return min(deadlines, now + LADDER_LOOK)


def break_end(snapshot: TournamentSnapshot) -> int | None:
    """Returns the end of the break between two rounds; None without a break, after an early end, and during a pause."""
    tournament = snapshot.tournament
    goes_on = tournament.status is Status.RUNNING and tournament.paused is None
    return tournament.break_until or None if goes_on else None


def last_call(plan: Plan) -> int | None:
    """Returns the moment at which players who have not checked in are pinged again; None for never."""
    return plan.starts - LAST_CALL if plan.starts is not None and plan.check_in > LAST_CALL else None


def game_time(plan: Plan) -> int:
    """Returns the time from a new game to its deadline; 0 without one. A ladder's deadline is for the first turns."""
    if plan.format is Format.LADDER:
        return plan.ladder.answer
    return plan.round_length if plan.format in IN_ROUNDS else 0  # a plan may have settings of a former format


def due_of(stored: StoredPairing) -> int:
    """Returns when the deadline of an unfinished pairing, or the warning before it, is due."""
    if stored.deadline is None or stored.state is PairingState.LATE or stored.displaced is not None:
        return NEVER
    return stored.deadline if stored.warned else stored.deadline - WARNED_BEFORE


def displaced_for(stored: StoredPairing, until: int, credited: int) -> int:
    """Returns for how long a pairing was displaced until a moment, in ms; the time before ``credited`` is left out."""
    return 0 if stored.displaced is None else max(0, until - max(stored.displaced, credited))


def arena_end(snapshot: TournamentSnapshot) -> int:
    """Returns the end of the pairing in an arena. Raises ValueError if the arena has not begun."""
    if snapshot.tournament.started is None:
        raise ValueError("the arena has not begun")
    return snapshot.tournament.started + snapshot.tournament.plan.arena


def free_players(snapshot: TournamentSnapshot) -> list[Player]:
    """Returns the players of an arena who wait for an opponent. No two machines meet.

    They are all people and, if their number is odd, the machine with the longest wait.
    """
    free = [player for player in snapshot.players if player.is_in and player.free_since not in {None, RESTING}]
    people, machines = ([one for one in free if one.is_machine is kind] for kind in (False, True))
    return people + sorted(machines, key=lambda one: (one.free_since or 0, one.number))[: len(people) % 2]


def _arena_look(snapshot: TournamentSnapshot, unfinished: list[StoredPairing], now: int) -> int:
    end = arena_end(snapshot)
    if now >= end:
        return NEVER if unfinished else now
    free = sorted(player.free_since or 0 for player in free_players(snapshot))
    return min(end, free[1] + ARENA_WAIT) if len(free) > 1 else end
