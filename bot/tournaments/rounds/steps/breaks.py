"""The break between two rounds: time to correct results and to undo acts before the next pairing.

A round without a game has none, as there is nothing to correct. After the last round there is one only if an organiser
has decided a game of it. Without it, an act that ends the tournament could never be undone.
"""

from dataclasses import replace

from bot.tournaments.rounds.steps.settling import BY_ORGANISER
from bot.tournaments.service import Change
from bot.tournaments.tournament import LogEntry, TournamentSnapshot


def is_due(snapshot: TournamentSnapshot, *, is_last: bool) -> bool:
    """Returns whether a break is due after the finished round. ``is_last``: no other round follows."""
    tournament = snapshot.tournament
    if not tournament.plan.round_break or tournament.break_until is not None:
        return False
    of_round = [stored for stored in snapshot.pairings if stored.pairing.round == tournament.round]
    return any(
        stored.decided_by == BY_ORGANISER or (stored.contest_id is not None and not is_last) for stored in of_round
    )


async def begin(change: Change, *, is_last: bool) -> None:
    """Begins the break, with a line in the channel about its end."""
    tournament, now = change.tournament, change.now
    until = now + tournament.plan.round_break
    await change.set(replace(tournament, break_until=until, credited_until=now))
    detail: dict[str, object] = {"until": until, "last": is_last}
    await change.log_entry(LogEntry(0, now, None, "break", tournament.round, detail), to_finish=True)
    await change.repository.touch_round(change.connection, tournament.id, tournament.round)


async def update_message(change: Change) -> None:
    """Removes the break from the message of the round before the next pairing or the end.

    The caller writes the tournament.
    """
    if change.tournament.break_until is not None:
        await change.repository.touch_round(change.connection, change.tournament.id, change.tournament.round)
