"""The conditions for entering a tournament, as functions of its state."""

from collections.abc import Collection
from dataclasses import replace

from bot.tournaments.service import Change
from bot.tournaments.tournament import Plan, Player, PlayerStatus, Seeding, Status, Tournament
from engine.core.errors import Refused
from engine.tournament.formats import sections
from engine.tournament.model import Format


def players_in(players: Collection[Player]) -> list[Player]:
    return [player for player in players if player.is_in]


def expected(players: Collection[Player]) -> list[Player]:
    """Returns the people who are in, and so have to check in."""
    return [player for player in players_in(players) if not player.is_machine]


def waiting_list(players: Collection[Player]) -> list[Player]:
    """Returns the waiting list in its order."""
    waiting = (player for player in players if player.status is PlayerStatus.WAITING)
    return sorted(waiting, key=lambda player: (not player.checked_in, player.joined, player.number))


def enters_late(tournament: Tournament) -> bool:
    """Returns whether a player may still enter although the tournament has begun."""
    plan = tournament.plan
    if tournament.status is not Status.RUNNING:
        return False
    if plan.format in {Format.ARENA, Format.LADDER}:
        return True
    return plan.format is Format.SWISS and tournament.round + 1 <= plan.late_entries


def can_check_in(tournament: Tournament, player: Player) -> bool:
    """Returns whether this player, who may be on the waiting list, gets the button of the check-in.

    A player who has checked in may press it again, and the answer says so.
    """
    if tournament.status is not Status.CHECK_IN:
        return False
    return player.is_in or (player.status is PlayerStatus.WAITING and not player.checked_in)


def check_known(change: Change, known: Player | None) -> None:
    """Raises Refused for a user who is in already, or may not come back.

    After the start nobody moves up, so who still waits enters like anybody else.
    """
    if known is None:
        return
    if known.is_in:
        raise Refused("tournament.join.already")
    is_open = change.tournament.status.is_open
    if known.status is PlayerStatus.WAITING and is_open:
        raise Refused("tournament.join.waiting", place=waiting_list(change.snapshot.players).index(known) + 1)
    if known.status is PlayerStatus.EXPELLED:
        raise Refused("tournament.join.expelled")
    if known.status is PlayerStatus.WITHDRAWN and not is_open:
        raise Refused("tournament.join.withdrew")


def can_join(
    tournament: Tournament, known: Player | None, inside: int, roles: Collection[int], rating: int, games: int, now: int
) -> bool:
    """Returns whether a user may enter now, or check in. ``inside``: the number of players, for late entries."""
    if known is not None and can_check_in(tournament, known):
        return not known.checked_in
    enters = PlayerStatus.WITHDRAWN if tournament.status.is_open else PlayerStatus.WAITING
    if known is not None and known.status is not enters:
        return False
    try:
        check_exists(tournament)
        check_late(tournament)
        check_times(tournament, now)
        check_eligible(tournament.plan, roles, rating, games)
    except Refused:
        return False
    return tournament.status.is_open or inside < tournament.plan.capacity


def check_machine(change: Change, known: Player | None) -> None:
    """Raises Refused for a machine that is in already, was taken out after the start, or finds no place.

    Before the start, an organiser may enter a machine again that was taken out.
    """
    tournament = change.tournament
    if known is not None and known.status in {PlayerStatus.IN, PlayerStatus.WAITING}:
        raise Refused("tournament.machine.already")
    if known is not None and not tournament.status.is_open:
        raise Refused("tournament.machine.out")
    if len(players_in(change.snapshot.players)) >= tournament.plan.capacity:
        raise Refused("tournament.join.full")


def check_times(tournament: Tournament, now: int) -> None:
    plan = tournament.plan
    if not tournament.status.is_open:
        return
    if plan.registration_opens is not None and now < plan.registration_opens:
        raise Refused("tournament.join.early", when=f"<t:{plan.registration_opens // 1000}:f>")
    if plan.registration_closes is not None and now >= plan.registration_closes:
        raise Refused("tournament.join.closed")


def check_exists(tournament: Tournament) -> None:
    """Raises Refused for a draft, and for a tournament that is over."""
    if tournament.is_draft:
        raise Refused("tournament.unknown")
    if tournament.status in {Status.OVER, Status.CANCELLED}:
        raise Refused("tournament.join.over")


def check_late(tournament: Tournament) -> None:
    """Raises Refused if the tournament has begun and admits no more players."""
    if tournament.status is Status.RUNNING and not enters_late(tournament):
        last = tournament.plan.late_entries
        raise Refused("tournament.join.late", last=last) if last else Refused("tournament.join.started")


def check_eligible(plan: Plan, roles: Collection[int], rating: int, games: int) -> None:
    """Raises Refused for a user who may not join, with the reason."""
    wanted = plan.eligibility
    if wanted.role_id is not None and wanted.role_id not in roles:
        raise Refused("tournament.join.role", role=f"<@&{wanted.role_id}>")
    if wanted.lowest is not None and rating < wanted.lowest:
        raise Refused("tournament.join.low", rating=rating, low=wanted.lowest)
    if wanted.highest is not None and rating > wanted.highest:
        raise Refused("tournament.join.high", rating=rating, high=wanted.highest)
    if games < wanted.games:
        raise Refused("tournament.join.games", games=wanted.games, n=games)


def late_entry(change: Change, player: Player) -> tuple[Player, list[Player]]:
    """Returns a player who enters a running tournament, and the others, whose seeds move down.

    In a Swiss seeded by rating the seed follows the rating; elsewhere it is the last one.
    """
    players, plan = change.snapshot.players, change.tournament.plan
    seed = max((one.seed for one in players), default=0) + 1
    if plan.format is Format.ARENA:
        return replace(player, seed=seed, free_since=change.now), []
    if plan.format is Format.LADDER:
        last = max((one.ladder_place or 0 for one in players), default=0)
        return replace(player, seed=seed, ladder_place=last + 1), []
    if plan.seeding is Seeding.RATING:
        seed = max((one.seed for one in players if one.rating >= player.rating), default=0) + 1
    moved = [replace(one, seed=one.seed + 1) for one in players if one.seed >= seed]
    entrants = [
        replace(one.entrant, seed=place)  # by rating, so that a strong player gets into a strong section
        for place, one in enumerate(sorted([*(p for p in players if p.seed), player], key=lambda one: -one.rating), 1)
    ]
    section = sections.assigned(plan.stages[0], entrants)[player.number]
    return replace(player, seed=seed, section=section, first_round=change.tournament.round + 1), moved
