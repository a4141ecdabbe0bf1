"""The acts of organisers, as functions of the tournament.

The functions neither read nor write the database. An ``Effect`` holds all that an act does in its transaction, and the
entry of the log, which is enough to undo it.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from bot.tournaments.organising.rules.effect import (
    DECISION,
    DRAW,
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
    result_key,
    unplayed,
)
from bot.tournaments.results.standing import awarded, uncounted_opponents
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
from engine.tournament.model import IN_ROUNDS, Format, Result

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


def finished(snapshot: TournamentSnapshot) -> list[StoredPairing]:
    """Returns the pairings whose result an organiser may correct, the newest first."""
    found = [one for one in snapshot.pairings if one.result is not None and one.pairing.second is not None]
    return sorted(found, key=lambda one: (-one.pairing.round, one.id))


def rulings(stored: StoredPairing) -> tuple[Ruling, ...]:
    """Returns the possible decisions about a pairing."""
    return tuple(NOT_PLAYED) if stored.contest_id is None else tuple(Ruling)


# --- acts ------------------------------------------------------------------------------------------------------------


def adjudicate(snapshot: TournamentSnapshot, pairing_id: int, ruling: Ruling, now: int) -> Effect:
    """Decides a game that has no result. A replay is a new game of the same pairing. Raises Refused."""
    require_running(snapshot)
    stored = find_pairing(snapshot, pairing_id)
    first, second = stored.pairing.first, stored.pairing.second
    if stored.state is PairingState.DONE:
        raise Refused("tournament.organising.has_result", result=result_key(stored.result))
    detail: dict[str, object] = {"pairing": stored.id, "players": [first, second], "before": pairing_row(stored)}
    detail["ruling"] = ruling.value
    if ruling not in rulings(stored):
        raise Refused("tournament.organising.no_game")
    if ruling is Ruling.REPLAY:
        after = unplayed(stored, now, snapshot.tournament.plan)
        ended = ending(stored, None, VOID)
    else:
        result = (NOT_PLAYED if stored.contest_id is None else PLAYED)[ruling]
        after = decided(stored, result, now)
        detail["result"] = result.value
        winner = {Ruling.FIRST: first, Ruling.SECOND: second}.get(ruling)
        ended = ending(stored, winner, {Ruling.DRAW: DRAW, Ruling.BOTH_FORFEIT: VOID}.get(ruling, DECISION))
    told = (first, second or 0) if not ended else ()  # the end of a game has its own notices
    settles = after.result is not None
    return Effect(Act.ADJUDICATE, {**detail, "games": ended}, pairings=(after,), settles=settles, told=told)


def correct(snapshot: TournamentSnapshot, pairing_id: int, result: Result, now: int) -> Effect:
    """Gives a finished pairing another result. The standings follow, and later pairings stay.

    In a knockout or a play-off the pairings are the standings, so a later paired round forbids it. Raises Refused.
    """
    tournament, stored = snapshot.tournament, find_pairing(snapshot, pairing_id)
    if tournament.status not in {Status.RUNNING, Status.OVER}:
        raise Refused("tournament.organising.not_running")
    before = stored.result
    if before is None:
        raise Refused("tournament.organising.no_result")
    if before is result or result.is_bye:
        raise Refused("tournament.organising.same_result", result=result_key(before))
    stage = tournament.plan.stages[stored.pairing.stage - 1]
    if stage.format is Format.LADDER:
        raise Refused("tournament.organising.ladder")
    later = _is_paired_after(snapshot.pairings, stored)
    if _made_pairings(snapshot.pairings, stored):
        is_played = _made_pairings(_unless_taken_back(snapshot), stored)
        raise Refused("tournament.organising.bracket_played" if is_played else "tournament.organising.bracket")
    after = decided(stored, result, stored.ended or now)
    detail: dict[str, object] = {
        "pairing": stored.id,
        "players": [stored.pairing.first, stored.pairing.second],
        "before": pairing_row(stored),
        "was": before.value,
        "result": result.value,
        "later": later,
    }
    told = (stored.pairing.first, stored.pairing.second or 0)
    players = replaced_places(snapshot, after)
    return Effect(
        Act.CORRECT, detail, tournament=podium_anew(snapshot, now), pairings=(after,), players=players, told=told
    )


def correctable(snapshot: TournamentSnapshot) -> list[StoredPairing]:
    """Returns the finished games with results that can be corrected, perhaps after the round is taken back."""
    if snapshot.tournament.plan.format is Format.LADDER:
        return []
    remaining = _unless_taken_back(snapshot)
    return [one for one in finished(snapshot) if not _made_pairings(remaining, one)]


def _unless_taken_back(snapshot: TournamentSnapshot) -> Sequence[StoredPairing]:
    """Returns the pairings that stay if the current round is taken back, or all where that cannot be done."""
    if not can_repair(snapshot):
        return snapshot.pairings
    return [one for one in snapshot.pairings if one.pairing.round != snapshot.tournament.round]


def _is_paired_after(pairings: Sequence[StoredPairing], stored: StoredPairing) -> bool:
    return any(one.pairing.round > stored.pairing.round for one in pairings)


def _made_pairings(pairings: Sequence[StoredPairing], stored: StoredPairing) -> bool:
    """Returns whether some of these pairings come from this result, as in a knockout."""
    if any(one.pairing.stage > stored.pairing.stage for one in pairings):
        return True
    if not stored.pairing.slot:
        return False
    again = any(
        one.pairing.attempt > stored.pairing.attempt and one.pairing.slot == stored.pairing.slot for one in pairings
    )
    return again or _is_paired_after(pairings, stored)


def podium_anew(snapshot: TournamentSnapshot, now: int) -> Tournament | None:
    """Marks the last message of a finished tournament, so that it shows the new places."""
    return replace(snapshot.tournament, closing_at=now) if snapshot.tournament.status is Status.OVER else None


def replaced_places(snapshot: TournamentSnapshot, after: StoredPairing) -> tuple[Player, ...]:
    """Returns the players of a finished tournament with the places that follow from a changed pairing."""
    if snapshot.tournament.status is not Status.OVER:
        return ()
    pairings = tuple(after if one.id == after.id else one for one in snapshot.pairings)
    placings = {one.entrant: one for one in awarded(replace(snapshot, pairings=pairings))}
    return tuple(
        replace(player, first_place=placings[player.number].first, last_place=placings[player.number].last)
        for player in snapshot.players
        if player.number in placings
    )


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
