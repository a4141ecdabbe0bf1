"""The decisions of organisers about results, as functions of the tournament: see ``acts``."""

from collections.abc import Sequence
from dataclasses import replace

from bot.tournaments.organising.rules.acts import can_repair, find_pairing, require_running
from bot.tournaments.organising.rules.effect import (
    DECISION,
    DRAW,
    NOT_PLAYED,
    PLAYED,
    VOID,
    Act,
    Effect,
    Ruling,
    decided,
    ending,
    result_key,
    unplayed,
)
from bot.tournaments.results.standing import awarded
from bot.tournaments.rows import pairing_row
from bot.tournaments.tournament import (
    PairingState,
    Player,
    Status,
    StoredPairing,
    Tournament,
    TournamentSnapshot,
)
from engine.core.errors import Refused
from engine.tournament.model import Format, Result


def finished(snapshot: TournamentSnapshot) -> list[StoredPairing]:
    """Returns the pairings whose result an organiser may correct, the newest first."""
    found = [one for one in snapshot.pairings if one.result is not None and one.pairing.second is not None]
    return sorted(found, key=lambda one: (-one.pairing.round, one.id))


def rulings(stored: StoredPairing) -> tuple[Ruling, ...]:
    """Returns the possible decisions about a pairing."""
    return tuple(NOT_PLAYED) if stored.contest_id is None else tuple(Ruling)


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
