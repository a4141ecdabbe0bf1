"""The acts of organisers, as functions of the tournament.

The functions neither read nor write the database. An ``Effect`` holds all that an act does in its transaction, and the
entry of the log, which is enough to undo it.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from bot.tournaments.organising.rules.effect import (
    FORFEIT,
    NOT_PLAYED,
    PLAYED,
    VOID,
    Act,
    Effect,
    Ruling,
    decided,
    ending,
    people,
)
from bot.tournaments.results.standing import uncounted_opponents
from bot.tournaments.rounds.steps.settling import BY_ORGANISER
from bot.tournaments.rounds.steps.starting import withdrawn
from bot.tournaments.rows import pairing_row
from bot.tournaments.schedule import break_end, displaced_for
from bot.tournaments.tournament import (
    PairingState,
    Player,
    PlayerStatus,
    Status,
    StoredPairing,
    StoredRound,
    Tournament,
    TournamentSnapshot,
)
from engine.core.errors import Refused
from engine.tournament.model import IN_ROUNDS, Format

MOST_ASSISTANTS: Final = 25

# --- conditions ------------------------------------------------------------------------------------------------------


def require_active(snapshot: TournamentSnapshot) -> None:
    """Raises Refused if the tournament is over or cancelled."""
    if not snapshot.tournament.status.is_active:
        raise Refused("tournament.organising.over")


def require_running(snapshot: TournamentSnapshot) -> None:
    """Raises Refused unless the tournament has begun and goes on."""
    require_active(snapshot)
    if snapshot.tournament.status is not Status.RUNNING:
        raise Refused("tournament.organising.not_running")


def find_pairing(snapshot: TournamentSnapshot, pairing_id: int) -> StoredPairing:
    """Returns a pairing of two players. Raises Refused if there is none."""
    found = next((stored for stored in snapshot.pairings if stored.id == pairing_id), None)
    if found is None:
        raise Refused("tournament.organising.no_pairing")
    if found.pairing.second is None:
        raise Refused("tournament.organising.bye")
    return found


def undecided(snapshot: TournamentSnapshot) -> list[StoredPairing]:
    """Returns the pairings that an organiser may adjudicate: late ones first, then the newest."""
    found = [one for one in snapshot.pairings if one.state is not PairingState.DONE and one.pairing.second is not None]
    return sorted(found, key=lambda one: (one.state is not PairingState.LATE, -one.pairing.round, one.id))


# --- acts ------------------------------------------------------------------------------------------------------------


def repair(snapshot: TournamentSnapshot, rounds: Sequence[StoredRound]) -> Effect:
    """Takes the current round back, so that it is paired anew with the present players.

    Its running games are void. Raises Refused if one has ended, as no result may be lost.
    """
    require_running(snapshot)
    tournament = snapshot.tournament
    current = [stored for stored in snapshot.pairings if stored.pairing.round == tournament.round]
    if tournament.plan.format not in IN_ROUNDS or not tournament.round or not current:
        raise Refused("tournament.organising.no_round")
    if any(stored.result is not None and stored.contest_id is not None for stored in current):
        raise Refused("tournament.organising.has_ended")
    if any(stored.decided_by == BY_ORGANISER for stored in current):
        raise Refused("tournament.organising.has_ended")
    games = [game for stored in current for game in ending(stored, None, VOID)]
    row = next((one for one in rounds if one.number == tournament.round), None)
    detail: dict[str, object] = {"before": [pairing_row(stored) for stored in current], "games": games}
    if row is not None:
        detail |= {"stage": row.stage, "started": row.started, "deadline": row.deadline}
        detail["messages"] = list(row.message_ids)
    back = replace(tournament, round=tournament.round - 1, break_until=0 if tournament.plan.round_break else None)
    return Effect(Act.REPAIR, detail, tournament=back, removed_round=tournament.round)


def can_repair(snapshot: TournamentSnapshot) -> bool:
    """Returns whether the current round can be paired again."""
    try:
        repair(snapshot, ())
    except Refused:
        return False
    return True


def end_break(snapshot: TournamentSnapshot, now: int) -> Effect:
    """Ends the break between two rounds now. Raises Refused."""
    require_running(snapshot)
    until = break_end(snapshot)
    if until is None or until <= now:
        raise Refused("tournament.organising.no_break")
    return Effect(Act.END_BREAK, tournament=replace(snapshot.tournament, break_until=0))


def pause(snapshot: TournamentSnapshot, now: int) -> Effect:
    """Stops new rounds and deadlines. Running games and their clocks go on. Raises Refused."""
    require_active(snapshot)
    if snapshot.tournament.paused is not None:
        raise Refused("tournament.organising.paused")
    return Effect(Act.PAUSE, tournament=replace(snapshot.tournament, paused=now))


def resume(snapshot: TournamentSnapshot, channel_id: int | None, now: int) -> Effect:
    """Ends a pause, perhaps in another channel. Later times and deadlines move by its length. Raises Refused."""
    require_active(snapshot)
    tournament = snapshot.tournament
    moves = channel_id is not None and channel_id != tournament.channel_id
    if tournament.paused is None:
        raise Refused("tournament.organising.not_paused")
    detail: dict[str, object] = {"paused": tournament.paused, "shift": now - tournament.paused, "moves": moves}
    detail["reopened"] = sum(one.lacks_channel and one.state is not PairingState.DONE for one in snapshot.pairings)
    shifted, pairings = moved_times(snapshot, now - tournament.paused, tournament.paused)
    after = replace(
        shifted,
        paused=None,
        channel_id=channel_id if moves and channel_id else tournament.channel_id,
        credited_until=now,  # the pause has moved the deadlines, also those during outages of the bot
    )
    shift = now - tournament.paused
    return Effect(Act.RESUME, detail, tournament=after, pairings=pairings, shift=shift, new_messages=moves)


def moved_times(snapshot: TournamentSnapshot, shift: int, since: int) -> tuple[Tournament, tuple[StoredPairing, ...]]:
    """Returns the tournament and its open pairings with every time after ``since`` moved by ``shift`` ms."""

    def moved(at: int | None) -> int | None:
        return at + shift if at is not None and at > since else at

    plan = snapshot.tournament.plan
    if snapshot.tournament.status.is_open:
        plan = replace(
            plan,
            starts=moved(plan.starts),
            registration_opens=moved(plan.registration_opens),
            registration_closes=moved(plan.registration_closes),
        )
    elif plan.format is Format.ARENA:
        plan = replace(plan, arena=plan.arena + shift)
    credited = snapshot.tournament.credited_until
    pairings = tuple(
        replace(stored, deadline=stored.deadline + shift + (displaced_for(stored, since, credited) if shift > 0 else 0))
        for stored in snapshot.pairings
        if stored.state is not PairingState.DONE and stored.deadline is not None
    )
    return replace(snapshot.tournament, plan=plan, break_until=moved(snapshot.tournament.break_until)), pairings


def appoint(snapshot: TournamentSnapshot, user_id: int, assistants: Collection[int], *, adds: bool) -> Effect:
    """Adds or removes an assistant. Raises Refused."""
    if adds and (user_id == snapshot.tournament.owner or user_id in assistants):
        raise Refused("tournament.organising.is_organiser")
    if adds and len(assistants) >= MOST_ASSISTANTS:
        raise Refused("tournament.organising.enough_assistants", n=MOST_ASSISTANTS)
    if not adds and user_id not in assistants:
        raise Refused("tournament.organising.not_assistant")
    return Effect(Act.ADD_ASSISTANT if adds else Act.REMOVE_ASSISTANT, subject=user_id, assistant=adds)


def expel(snapshot: TournamentSnapshot, number: int, now: int, moved: Collection[int]) -> Effect:
    """Expels a player. The opponents win the running games. ``moved``: the ids of pairings in which the player has
    made a turn.

    Raises Refused.
    """
    require_active(snapshot)
    tournament = snapshot.tournament
    player = next((one for one in snapshot.players if one.number == number), None)
    if player is None or player.status not in {PlayerStatus.IN, PlayerStatus.WAITING}:
        raise Refused("tournament.organising.not_in")
    last = player.last_round if player.last_round is not None else tournament.round
    out = withdrawn(player, "expelled", last if tournament.status is Status.RUNNING else 0)
    lost = [stored for stored in undecided(snapshot) if number in stored.pairing.players]
    after, games = [], []
    for stored in lost:
        wins = Ruling.SECOND if number == stored.pairing.first else Ruling.FIRST
        result = (PLAYED if stored.id in moved else NOT_PLAYED)[wins]
        after.append(decided(stored, result, now))
        games += ending(stored, next(one for one in stored.pairing.players if one != number), FORFEIT)
    detail: dict[str, object] = {
        "number": number,
        "before": {
            "status": player.status.value,
            "reason": player.reason,
            "last_round": player.last_round,
            "free_since": player.free_since,
            "ladder_place": player.ladder_place,
        },
        "pairings": [pairing_row(stored) for stored in lost],
        "results": [stored.result for stored in after],
        "games": games,
    }
    decided_now = {stored.id: stored for stored in after}
    without = replace(
        snapshot,
        players=tuple(out if one.number == number else one for one in snapshot.players),
        pairings=tuple(decided_now.get(one.id, one) for one in snapshot.pairings),
    )
    return Effect(
        Act.EXPEL,
        detail,
        subject=player.user_id,
        players=(out, *moved_places(snapshot, player.ladder_place, -1)),
        pairings=tuple(after),
        settles=True,
        told=(number, *uncounted_opponents(without, number)),
    )


def moved_places(snapshot: TournamentSnapshot, place: int | None, by: int) -> tuple[Player, ...]:
    """Moves the players of a ladder below a removed place (``by`` -1) or a restored one (1)."""
    if place is None:
        return ()
    least = place if by > 0 else place + 1
    return tuple(
        replace(one, ladder_place=one.ladder_place + by)
        for one in snapshot.players
        if one.ladder_place is not None and one.ladder_place >= least
    )


def cancel(snapshot: TournamentSnapshot, now: int, *, ends_series: bool = False) -> Effect:
    """Ends the tournament without a winner. Its running games go on as ordinary games.

    ``ends_series``: whether no other one of its series follows. Raises Refused.
    """
    require_active(snapshot)
    unopened = [one for one in snapshot.pairings if one.state is PairingState.WAITING]
    detail: dict[str, object] = {
        "status": snapshot.tournament.status.value,
        "paused": snapshot.tournament.paused,
        "unopened": [stored.id for stored in unopened],
    }
    repeats = snapshot.tournament.plan.repeats
    detail |= {"ends_series": ends_series} if repeats else {}
    pairings = tuple(replace(stored, state=PairingState.DONE) for stored in unopened)  # so they are never opened
    repeat_at = now if repeats and not ends_series else None
    after = replace(snapshot.tournament, status=Status.CANCELLED, ended=now, paused=None, repeat_at=repeat_at)
    return Effect(Act.CANCEL, detail, tournament=after, pairings=pairings, told=people(snapshot))


def finish(snapshot: TournamentSnapshot) -> Effect:
    """Ends the tournament with its present standings. Its running games go on as ordinary games, uncounted.

    Raises Refused.
    """
    require_active(snapshot)
    if snapshot.tournament.status is not Status.RUNNING:
        raise Refused("tournament.organising.finish_not_running")
    going = undecided(snapshot)
    pairings = tuple(replace(stored, state=PairingState.DONE) for stored in going)  # so their results come too late
    after = replace(snapshot.tournament, paused=None)
    told = tuple(sorted({number for stored in going for number in stored.pairing.players}))
    detail: dict[str, object] = {"uncounted": [stored.id for stored in going]}
    return Effect(Act.FINISH, detail, tournament=after, pairings=pairings, ends=True, told=told)
