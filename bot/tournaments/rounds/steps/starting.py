"""The start of a tournament: its players, their seeds, their sections."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.tournaments.series.dates import repeats_at
from bot.tournaments.service import Change
from bot.tournaments.tournament import Player, PlayerStatus, Seeding, Status, StoredRound, Tournament
from engine.core.errors import Refused
from engine.tournament.formats import sections
from engine.tournament.model import IN_ROUNDS, Format

FEWEST: Final = 2
"""The fewest players that can be paired."""

_shuffle: Final = random.SystemRandom().shuffle


def require_open(tournament: Tournament) -> None:
    """Raises Refused if the tournament is not announced yet, or has started or ended already."""
    if tournament.status is Status.DRAFT:
        raise Refused("tournament.rounds.not_announced")
    if not tournament.status.is_open:
        raise Refused("tournament.rounds.started")


async def start(change: Change, ratings: Mapping[int, int], actor: int | None) -> None:
    """Starts the tournament with the ``ratings`` of its users. The first round is paired afterwards.

    With too few players an automatic start cancels it, and an organiser's start raises Refused.
    """
    tournament = change.tournament
    require_open(tournament)
    checks_in = tournament.status is Status.CHECK_IN
    if checks_in:
        await _withdraw_absent(change)
    await move_up(change, only_checked_in=checks_in)
    playing = [player for player in change.snapshot.players if player.is_in]
    least = max(FEWEST, tournament.plan.least)
    if len(playing) < least:
        if actor is not None:
            raise Refused("tournament.rounds.too_few", n=len(playing), least=least)
        await cancel(change, len(playing), least)
        return
    await change.set_players(*_seeded(change, playing, ratings))
    repeat_at = repeats_at(tournament.plan)
    started = replace(change.tournament, status=Status.RUNNING, started=change.now, repeat_at=repeat_at)
    await change.set(started)
    if tournament.plan.format not in IN_ROUNDS:
        await change.repository.add_round(change.connection, tournament.id, StoredRound(0, 1, change.now))
    await change.log("started", actor, players=len(playing))


async def cancel(change: Change, players: int, least: int) -> None:
    """Cancels a tournament with too few players. Its series goes on."""
    now = change.now
    repeat_at = now if change.tournament.plan.repeats else None
    over = replace(change.tournament, status=Status.CANCELLED, ended=now, closing_at=now, repeat_at=repeat_at)
    await change.set(over)
    await change.log("cancelled", players=players, least=least)


async def _withdraw_absent(change: Change) -> None:
    """Takes out the people who have not checked in."""
    people = [player for player in change.snapshot.players if player.is_in and not player.is_machine]
    absent = [player for player in people if not player.checked_in]
    if absent:
        await change.set_players(*(withdrawn(player, "no_show", 0) for player in absent))
        await change.log("no_show", None, players=[player.number for player in absent])


def withdrawn(player: Player, why: str, last_round: int) -> Player:
    """Returns the player after a withdrawal, voluntary or not."""
    status = PlayerStatus.EXPELLED if why == "expelled" else PlayerStatus.WITHDRAWN
    return replace(player, status=status, reason=why, last_round=last_round, free_since=None, ladder_place=None)


async def move_up(change: Change, *, only_checked_in: bool = False) -> list[Player]:
    """Gives free places to the waiting list, in its order. Returns the players who move up.

    At the end of a check-in it is ``only_checked_in``: the waiting list checks in, too, and who is away would lose.
    """
    plan = change.tournament.plan
    free = plan.capacity - sum(player.is_in for player in change.snapshot.players)
    waiting = [player for player in change.snapshot.players if player.status is PlayerStatus.WAITING]
    if only_checked_in:
        waiting = [player for player in waiting if player.checked_in]
    waiting.sort(key=lambda player: (not player.checked_in, player.joined, player.number))
    moved = [replace(player, status=PlayerStatus.IN) for player in waiting[: max(0, free)]]
    if moved:
        await change.set_players(*moved)
        await change.log("moved_up", None, players=[player.number for player in moved])
        for tell in change.moved_up:
            await tell(change, moved)
    return moved


def _seeded(change: Change, playing: Sequence[Player], ratings: Mapping[int, int]) -> list[Player]:
    """Returns the players with their frozen rating, seed and section. Players who do not take part have no seed."""
    plan, now = change.tournament.plan, change.now
    rated = [replace(player, rating=ratings.get(player.user_id, player.rating)) for player in playing]
    ordered = in_order(rated, plan.seeding)
    seeded = [replace(player, seed=seed) for seed, player in enumerate(ordered, 1)]
    section = sections.assigned(plan.stages[0], [player.entrant for player in seeded])
    arena, ladder = plan.format is Format.ARENA, plan.format is Format.LADDER
    there = [
        replace(
            player,
            section=section[player.number],
            free_since=now if arena or ladder else None,
            ladder_place=player.seed if ladder else None,
        )
        for player in seeded
    ]
    numbers = {player.number for player in there}
    return [
        *there,
        *(replace(one, seed=0) for one in change.snapshot.players if one.number not in numbers and one.seed),
    ]


def in_order(players: Iterable[Player], seeding: Seeding) -> list[Player]:
    """Returns the players by seed. Seeds that were set by hand come first, in their order."""
    found = sorted(players, key=lambda player: (-player.rating, player.joined, player.number))
    if seeding is Seeding.RANDOM:
        _shuffle(found)
    elif seeding is Seeding.HAND:
        found.sort(key=lambda player: (not player.seed, player.seed))
    return found
