"""A ladder: challenges upwards, answers in time, idle players.

In a ladder, ``Player.free_since`` is the time at which the player last played, joined or sank.
"""

from dataclasses import replace

from bot.tournaments.rounds.steps.settling import order_of, set_order
from bot.tournaments.service import Change
from bot.tournaments.tournament import PairingState, Player, Status, StoredPairing, TournamentSnapshot
from engine.core.errors import Refused
from engine.core.hours import DAY
from engine.tournament.formats import ladder
from engine.tournament.model import Format, Pairing


def rules_of(snapshot: TournamentSnapshot) -> ladder.LadderRules:
    """Returns the rules in the engine's unit: whole days."""
    plan = snapshot.tournament.plan.ladder
    return ladder.LadderRules(plan.reach, plan.again // DAY, plan.idle // DAY)


async def challenge(change: Change, user_id: int, opponent_id: int) -> StoredPairing:
    """Pairs a player with one above, who has to make their first turn in time. Raises Refused."""
    snapshot, tournament = change.snapshot, change.tournament
    if tournament.plan.format is not Format.LADDER or tournament.status is not Status.RUNNING:
        raise Refused("tournament.rounds.no_ladder")
    if tournament.paused is not None:
        raise Refused("tournament.rounds.ladder_paused")
    challenger, opponent = _number(snapshot, user_id), _number(snapshot, opponent_id)
    rules = rules_of(snapshot)
    busy = {number for stored in _unfinished(snapshot) for number in stored.pairing.players}
    met = _last_met(snapshot, challenger, opponent)
    why_not = ladder.may_challenge(order_of(snapshot), rules, busy, met, challenger, opponent, change.now)
    if why_not:
        raise Refused(why_not, reach=rules.reach, days=rules.again_days)
    number = len(snapshot.pairings) + 1
    deadline = change.now + tournament.plan.ladder.answer
    pairing = Pairing(1, 0, number, challenger, opponent)
    made = StoredPairing(number, pairing, PairingState.WAITING, deadline=deadline, warned=True)
    await change.add_pairings(made)
    await change.repository.touch_round(change.connection, tournament.id, 0)
    await change.set(tournament)
    await change.log("challenged", user_id, pairing=number)
    return made


def idle_ones(snapshot: TournamentSnapshot, now: int) -> tuple[int, ...]:
    return ladder.idle_ones(order_of(snapshot), _last_played(snapshot, now), rules_of(snapshot), now)


async def sink(change: Change) -> None:
    """Moves the idle players down by one place. Their time begins anew."""
    snapshot, now = change.snapshot, change.now
    sinking = idle_ones(snapshot, now)
    order = ladder.idle(order_of(snapshot), _last_played(snapshot, now), rules_of(snapshot), now)
    await change.set_players(*(replace(snapshot.player(number), free_since=now) for number in sinking))
    await set_order(change, order)
    await change.log("sank", players=list(sinking))


def _last_played(snapshot: TournamentSnapshot, now: int) -> dict[int, int]:
    """Returns the time at which each player was last active. A player with a game is active now."""
    busy = {number for stored in _unfinished(snapshot) for number in stored.pairing.players}
    return {player.number: now if player.number in busy else _active(player) for player in snapshot.players}


def _active(player: Player) -> int:
    return player.joined if player.free_since is None else player.free_since


def _unfinished(snapshot: TournamentSnapshot) -> list[StoredPairing]:
    return [stored for stored in snapshot.pairings if stored.state is not PairingState.DONE]


def _last_met(snapshot: TournamentSnapshot, one: int, other: int) -> int | None:
    ended = [stored.ended for stored in snapshot.pairings if {*stored.pairing.players} == {one, other} and stored.ended]
    return max(ended, default=None)


def _number(snapshot: TournamentSnapshot, user_id: int) -> int:
    """Returns a user's number; 0 outside the ladder."""
    player = snapshot.of_user(user_id)
    return player.number if player is not None and player.is_in else 0
