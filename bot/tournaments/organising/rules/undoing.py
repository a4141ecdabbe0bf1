"""Undoing acts.

| act | undone? |
|---|---|
| a result that was given | the pairing is open again and gets a new game: the former one is over and stays so |
| a replay | no: the former game is void; the new one can be adjudicated |
| a correction | the former result stands again |
| a round that was paired again | its former pairings come back, each with a new game, while no new one has ended |
| pause | goes on, deadlines moved by the pause |
| resume | is paused again, with the former deadlines; a new channel stays |
| assistant added or removed | the other way round |
| expulsion | the player is in again; the game lost by it is played anew |
| a break that was ended early | no: the next round begins at once |
| cancelled | goes on; games that were running count again |
| other settings | the former ones, while nobody has changed them since |
| ended with its standings | no: the podium is posted, and the prizes are given |
| undo, and what the bot did by itself | no |

In an arena or a ladder, a decided game stays decided. Each act can be undone only until the next round starts, and
while its changes still stand.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from bot.tournaments.organising.rules.acts import (
    appoint,
    find_pairing,
    moved_places,
    moved_times,
    repair,
    resume,
)
from bot.tournaments.organising.rules.decisions import podium_anew, replaced_places
from bot.tournaments.organising.rules.editing import edited_back
from bot.tournaments.organising.rules.effect import Act, Effect, Ruling, logged_pairing, people, unplayed
from bot.tournaments.results.standing import uncounted_opponents
from bot.tournaments.series.dates import repeats_at
from bot.tournaments.tournament import (
    LogEntry,
    PairingState,
    PlayerStatus,
    Status,
    StoredPairing,
    StoredRound,
    TournamentSnapshot,
)
from engine.core.errors import Refused
from engine.tournament.model import IN_ROUNDS

TOLD: Final = ("tournament.organising.undo", "tournament.organising.edit_paused", "tournament.problem.")
"""The prefixes of refusals that explain by themselves why an act cannot be undone."""
Undo = Callable[["TournamentSnapshot", LogEntry, int, "UndoContext"], Effect]


class UndoContext:
    """The data for an undo besides the tournament: its rounds and its assistants."""

    def __init__(self, rounds: Sequence[StoredRound], assistants: Collection[int]) -> None:
        self.rounds = rounds
        self.assistants = assistants


def why_not(snapshot: TournamentSnapshot, entry: LogEntry) -> Refused | None:
    """Returns the refusal to undo an entry of the log, as far as known without trying; else None."""
    if entry.undone is not None:
        return Refused("tournament.organising.undo_done", seq=entry.seq)
    if entry.act not in UNDO or entry.actor is None:
        return Refused("tournament.organising.undo_never", seq=entry.seq)
    if entry.detail.get("ruling") == Ruling.REPLAY:
        return Refused("tournament.organising.undo_replay")
    if snapshot.tournament.plan.format not in IN_ROUNDS and (
        entry.act == Act.ADJUDICATE or entry.detail.get("pairings")
    ):
        return Refused("tournament.organising.undo_format")  # its players went on to other games at once
    is_over = snapshot.tournament.status is Status.OVER
    started_anew = entry.act == Act.REPAIR and snapshot.tournament.round == entry.round - 1  # not paired again yet
    if (snapshot.tournament.round != entry.round and not started_anew) or (is_over and entry.act != Act.CORRECT):
        return Refused("tournament.organising.undo_next_round", seq=entry.seq)
    return None


def undo(snapshot: TournamentSnapshot, entry: LogEntry, now: int, context: UndoContext) -> Effect:
    """Returns the effect of undoing an entry. Raises Refused."""
    if (refused := why_not(snapshot, entry)) is not None:
        raise refused
    try:
        made = UNDO[Act(entry.act)](snapshot, entry, now, context)
    except Refused as error:
        if error.key.startswith(TOLD):
            raise
        raise Refused("tournament.organising.undo_changed", seq=entry.seq) from error
    games = made.detail.get("games", [])
    again = sum(stored.state is PairingState.WAITING for stored in made.pairings)
    detail: dict[str, object] = {"act": entry.act, "seq": entry.seq, "games": games, "again": again}
    detail |= {key: made.detail[key] for key in ("counts", "messages") if key in made.detail}
    return replace(made, act=Act.UNDO, detail=detail, undoes=entry.seq, subject=made.subject or entry.subject)


def _adjudicated(snapshot: TournamentSnapshot, entry: LogEntry, now: int, context: UndoContext) -> Effect:
    del context
    stored = _unchanged(snapshot, entry, cast("int", entry.detail["pairing"]), entry.detail["result"])
    _require_in(snapshot, stored)
    again = unplayed(stored, now, snapshot.tournament.plan)
    return Effect(Act.UNDO, pairings=(again,), told=stored.pairing.players)


def _corrected(snapshot: TournamentSnapshot, entry: LogEntry, now: int, context: UndoContext) -> Effect:
    del context
    stored = _unchanged(snapshot, entry, cast("int", entry.detail["pairing"]), entry.detail["result"])
    before = logged_pairing(entry.detail["before"])
    players = replaced_places(snapshot, before)
    after = podium_anew(snapshot, now)
    return Effect(Act.UNDO, tournament=after, pairings=(before,), players=players, told=stored.pairing.players)


def _repaired(snapshot: TournamentSnapshot, entry: LogEntry, now: int, context: UndoContext) -> Effect:
    former = [logged_pairing(row) for row in cast("list[Any]", entry.detail["before"])]
    is_paired = snapshot.tournament.round == entry.round
    again = repair(snapshot, context.rounds) if is_paired else Effect(Act.UNDO)
    plan = snapshot.tournament.plan
    length = plan.round_length
    for stored in former:
        if stored.result is None:
            _require_in(snapshot, stored)
    restored = tuple(stored if stored.result is not None else unplayed(stored, now, plan) for stored in former)
    detail = entry.detail
    row = StoredRound(
        entry.round,
        cast("int", detail.get("stage", former[0].pairing.stage)),
        now,
        now + length if length else None,
    )
    after = replace(snapshot.tournament, round=entry.round)
    removed = entry.round if is_paired else None
    return replace(again, tournament=after, restored=restored, restored_round=row, removed_round=removed)


def _paused(snapshot: TournamentSnapshot, entry: LogEntry, now: int, context: UndoContext) -> Effect:
    del entry, context
    return resume(snapshot, None, now)


def _resumed(snapshot: TournamentSnapshot, entry: LogEntry, now: int, context: UndoContext) -> Effect:
    del now, context
    paused, shift = cast("int", entry.detail["paused"]), cast("int", entry.detail["shift"])
    if snapshot.tournament.paused is not None or not snapshot.tournament.status.is_active:
        raise Refused("tournament.organising.undo_changed", seq=entry.seq)
    tournament, pairings = moved_times(snapshot, -shift, paused + shift)
    return Effect(Act.UNDO, tournament=replace(tournament, paused=paused), pairings=pairings, shift=-shift)


def _appointed(snapshot: TournamentSnapshot, entry: LogEntry, now: int, context: UndoContext) -> Effect:
    del now
    return appoint(snapshot, entry.subject or 0, context.assistants, adds=entry.act == Act.REMOVE_ASSISTANT)


def _expelled(snapshot: TournamentSnapshot, entry: LogEntry, now: int, context: UndoContext) -> Effect:
    del context
    number = cast("int", entry.detail["number"])
    before = cast("dict[str, Any]", entry.detail["before"])
    player = snapshot.player(number)
    if player.status is not PlayerStatus.EXPELLED or player.user_id < 0:
        raise Refused("tournament.organising.undo_changed", seq=entry.seq)
    back = replace(
        player,
        status=PlayerStatus(before["status"]),
        reason=before["reason"],
        last_round=before["last_round"],
        free_since=before["free_since"],
        ladder_place=before["ladder_place"],
    )
    if (
        snapshot.tournament.status.is_open
        and sum(one.is_in for one in snapshot.players) >= snapshot.tournament.plan.capacity
    ):
        back = replace(back, status=PlayerStatus.WAITING)
    with_player = replace(snapshot, players=tuple(back if one.number == number else one for one in snapshot.players))
    pairings = []
    lost, results = cast("list[Any]", entry.detail["pairings"]), cast("list[Any]", entry.detail["results"])
    for row, result in zip(lost, results, strict=True):
        stored = _unchanged(snapshot, entry, row["id"], result)
        _require_in(with_player, stored)
        pairings.append(unplayed(stored, now, snapshot.tournament.plan))
    uncounted = uncounted_opponents(snapshot, number)
    told = {number, *uncounted, *(other for stored in pairings for other in stored.pairing.players)}
    return Effect(
        Act.UNDO,
        {"counts": True} if uncounted else {},
        subject=player.user_id,
        players=(back, *moved_places(snapshot, back.ladder_place, 1)),
        pairings=tuple(pairings),
        told=tuple(sorted(told)),
    )


def _cancelled(snapshot: TournamentSnapshot, entry: LogEntry, now: int, context: UndoContext) -> Effect:
    del now, context
    tournament = snapshot.tournament
    if tournament.status is not Status.CANCELLED:
        raise Refused("tournament.organising.undo_changed", seq=entry.seq)
    unopened = cast("list[int]", entry.detail["unopened"])
    pairings = tuple(
        replace(stored, state=PairingState.WAITING)
        for stored in snapshot.pairings
        if stored.id in unopened and stored.result is None
    )
    status, paused = Status(cast("str", entry.detail["status"])), cast("int | None", entry.detail["paused"])
    repeat_at = repeats_at(tournament.plan) if status is Status.RUNNING else None
    again = replace(tournament, status=status, ended=None, paused=paused, repeat_at=repeat_at)
    return Effect(Act.UNDO, tournament=again, pairings=pairings, told=people(snapshot))


def _edited(snapshot: TournamentSnapshot, entry: LogEntry, now: int, context: UndoContext) -> Effect:
    del context
    return edited_back(snapshot, entry.detail, now)


UNDO: Final[dict[str, Undo]] = {
    Act.ADJUDICATE: _adjudicated,
    Act.CORRECT: _corrected,
    Act.REPAIR: _repaired,
    Act.PAUSE: _paused,
    Act.RESUME: _resumed,
    Act.ADD_ASSISTANT: _appointed,
    Act.REMOVE_ASSISTANT: _appointed,
    Act.EXPEL: _expelled,
    Act.CANCEL: _cancelled,
    Act.EDIT: _edited,
}
"""The function that undoes each act. Other acts cannot be undone."""


def _unchanged(snapshot: TournamentSnapshot, entry: LogEntry, pairing_id: int, result: object) -> StoredPairing:
    """Returns the pairing. Raises Refused unless it still has the result that the act gave it."""
    stored = find_pairing(snapshot, pairing_id)
    if stored.result != result:
        raise Refused("tournament.organising.undo_changed", seq=entry.seq)
    return stored


def _require_in(snapshot: TournamentSnapshot, stored: StoredPairing) -> None:
    """Raises Refused unless both players are still in, as the new game needs both."""
    if stored.pairing.second is not None and not all(snapshot.player(one).is_in for one in stored.pairing.players):
        raise Refused("tournament.organising.undo_out")
