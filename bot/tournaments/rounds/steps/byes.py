"""Half-point byes by request."""

from dataclasses import replace

from bot.tournaments.service import Change
from bot.tournaments.tournament import Player, Status
from engine.core.errors import Refused
from engine.tournament.director import rounds_expected
from engine.tournament.model import Format


async def ask(change: Change, user_id: int, number: int) -> None:
    """Stores a player's wish for a half-point bye in that round. Raises Refused."""
    tournament, plan = change.tournament, change.tournament.plan
    player = _player(change, user_id)
    _check(player, plan.byes if plan.format is Format.SWISS else 0, number)
    if number <= tournament.round:
        raise Refused("tournament.rounds.bye_too_late", round=number)
    playing = sum(one.is_in for one in change.snapshot.players)
    last = plan.stages[0].rounds or rounds_expected(plan.stages[:1], playing)
    if number >= last:
        raise Refused("tournament.rounds.bye_not_last", n=last)
    await change.set_players(replace(player, byes=player.byes | {number}))
    await change.log("bye", user_id, player=player.number, round=number)


async def withdraw(change: Change, user_id: int, number: int) -> None:
    """Removes the wish for a bye in a round that is not paired yet. Raises Refused."""
    player = _player(change, user_id)
    if number not in player.byes:
        raise Refused("tournament.rounds.bye_unknown", round=number)
    if number <= change.tournament.round:
        raise Refused("tournament.rounds.bye_had", round=number)
    await change.set_players(replace(player, byes=player.byes - {number}))
    await change.log("bye_withdrawn", user_id, player=player.number, round=number)


def _player(change: Change, user_id: int) -> Player:
    player = change.snapshot.of_user(user_id)
    if player is None or player.reason or change.tournament.status in {Status.OVER, Status.CANCELLED}:
        raise Refused("tournament.rounds.not_in")
    return player


def _check(player: Player, most: int, number: int) -> None:
    if not most:
        raise Refused("tournament.rounds.no_byes")
    if number in player.byes:
        raise Refused("tournament.rounds.bye_known", round=number)
    if len(player.byes) >= most:
        raise Refused("tournament.rounds.byes_used", n=most)
