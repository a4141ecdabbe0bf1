"""A database with a little of everything, and what the bot reads in it."""

from __future__ import annotations

import random
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from fakes.clock import Clock
from sqlalchemy import func, insert, select

from bot.challenges.service import ChallengeService
from bot.clocks.heartbeats.service import HeartbeatService
from bot.clocks.vacations.service import VacationService
from bot.conditional.service import ConditionalMoveService
from bot.core.storage.tables import all_tables
from bot.dice.service import DiceService
from bot.exchange.service import ExchangeService
from bot.explorer.service import ExplorerService
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.games.tables import games
from bot.learn.service import LearningService
from bot.matches.service import MatchService
from bot.matches.tables import matches
from bot.players.service import PlayerNames, PreferenceService
from bot.ratings.pace import CORRESPONDENCE
from bot.ratings.service import RatingService
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.service import TournamentService
from bot.tournaments.tables import tournaments
from engine.core.hours import DAY
from engine.match.match import Terms
from engine.registry import GAMES
from engine.tournament.model import Format
from harness.rows import value_of
from harness.tournaments import Desk, plan_of

if TYPE_CHECKING:
    from bot.core.services import Services
    from bot.core.storage.database import Database
    from bot.games.live import LiveGame

ANA, BEN, SERVER = 11, 22, 1
PLAYERS: Final = (ANA, BEN)
CLOCK: Final = "3d/move"
LONG: Final = 30
"""Turns of a game that has a snapshot."""
SEVERAL: Final = 4
"""Turns of another game."""


async def fill(database: Database) -> None:
    """Stores every kind of data that the bot keeps, mostly by its own services."""
    clock = Clock()
    services = Desk.on(database, clock).services
    await services[HeartbeatService].record([0])
    clock.pass_seconds(3600)
    await services[HeartbeatService].record([0])  # it was away
    await _people(services, clock)
    await _games(services)
    await services[DiceService].count_all()
    await services[ExplorerService].count_all()
    await _contests(services)
    for rounds in (1, 2):  # one is over, the other one goes on
        await _tournament(database, clock, rounds)
    await _what_is_left(database)


async def _people(services: Services, clock: Clock) -> None:
    for user_id, name in zip(PLAYERS, ("Ana", "Ben Müller"), strict=True):
        await services[PlayerNames].seen(user_id, name)
    await services[PreferenceService].set_user(ANA, "theme", "slate")
    await services[PreferenceService].set_server(SERVER, "theme", "wood")
    await services[VacationService].take(BEN, clock() + 5 * DAY, clock() + 9 * DAY)
    await services[LearningService].complete(ANA, "abalone", "first")


async def _games(services: Services) -> None:
    """Begins one game of each kind, and finishes another."""
    service = services[GameService]
    for channel, key in enumerate(GAMES, 100):
        live = await service.open(NewGame(key, {}, Place(SERVER, channel), "en", CLOCK, "loss"), PLAYERS)
        live = await _turns(service, live, LONG if key == "backgammon" else SEVERAL)
        over = await service.open(NewGame(key, {}, Place(SERVER, channel + 100), "es"), PLAYERS)
        over = await _turns(service, over, SEVERAL)
        over = await _resign(service, over)
    waiting = BEN if live.to_act == ANA else ANA
    condition = live.game.format(live.state, _turn(live))
    await services[ConditionalMoveService].add_condition(live, waiting, None, condition)
    await services[ExchangeService].open_game(ANA, over, ("Ana", "Ben"))


async def _contests(services: Services) -> None:
    """Stores a rated game that is over, a match that is over, one that goes on, and challenges."""
    service, place = services[GameService], Place(SERVER, 300)
    rated = await service.open(NewGame("backgammon", {}, place, "en", CLOCK, "loss", rated=True), PLAYERS)
    await _resign(service, await _turns(service, rated, SEVERAL))
    for channel in (301, 302):
        live = await services[MatchService].open(
            Terms(points=3), NewGame("backgammon", {}, Place(SERVER, channel), "en", CLOCK, "loss", rated=True), PLAYERS
        )
        live = await _turns(service, live, SEVERAL)
        if channel == 301:
            await service.resign_match(live.id, ANA)
        else:
            await _resign(service, live)
    challenges = services[ChallengeService]
    to_ben = await challenges.post(ANA, BEN, NewGame("apb", {}, Place(SERVER, 303), "en", CLOCK, "loss"))
    to_anybody = await challenges.post(BEN, None, NewGame("abak", {}, Place(SERVER, 304), "es"), terms=Terms(points=5))
    for message_id, posted in enumerate((to_ben, to_anybody), 1):
        await challenges.posted(posted.id, message_id)


async def _resign(service: GameService, live: LiveGame) -> LiveGame:
    """Lets Ben resign for as little as he may, and Ana agree if she has to."""
    after = await service.resign(live.id, BEN, live.game.resign_values(live.state, live.players.index(BEN))[0])
    return after if after.is_over else await service.answer(live.id, ANA, accept=True)


async def _turns(service: GameService, live: LiveGame, number: int) -> LiveGame:
    for _ in range(number):
        assert live.to_act is not None
        live = await service.play(live.id, live.to_act, live.seq, _turn(live))
    return live


def _turn(live: LiveGame) -> list[Any]:
    """Returns a legal turn, step by step, that does not end the game."""
    for seed in count():
        state, steps, choice = live.state, [], random.Random(seed).choice
        while live.game.to_act(state) == live.seat_to_act:
            steps.append(choice(live.game.legal(state)))
            state = live.game.apply(state, steps[-1])
        if live.game.outcome(state) is None:
            return steps
    raise AssertionError("every turn ends the game")


async def _tournament(database: Database, clock: Clock, rounds: int) -> None:
    desk = Desk.on(database, clock)
    await desk.begin(plan_of(Format.SWISS, rounds=rounds), 5)
    await desk.services[OrganiserService].appoint(desk.tournament_id, By(9, "A friend.", 0), ANA, adds=True)
    await desk.play_on(1)


async def _what_is_left(database: Database) -> None:
    """Adds a row to each table that only workers and Discord itself would fill."""
    async with database.writing() as connection:
        for table in all_tables():
            if not await connection.scalar(select(func.count()).select_from(table)):
                await connection.execute(insert(table).values({one.name: value_of(one, 1) for one in table.columns}))


# --- what the bot reads ----------------------------------------------------------------------------------------------


async def read(database: Database) -> dict[str, Any]:
    """Reads a stored database with the bot's services, room by room, as JSON."""
    services = Desk.on(database, Clock()).services
    async with database.reading() as connection:
        ids = {table.name: sorted(await connection.scalars(select(table.c.id))) for table in (games, matches)}
        held = sorted(await connection.scalars(select(tournaments.c.id)))
    game = GAMES["abalone"]
    rolls, _ = await services[DiceService].statistics(ANA)
    explored = await services[ExplorerService].explore(SERVER, game, game.start(game.settle_options({})))
    return {
        "games": {game_id: _of_game(await services[GameService].get(game_id)) for game_id in ids["games"]},
        "matches": {match_id: await _of_match(services, match_id) for match_id in ids["matches"]},
        "tournaments": {tournament_id: await _of_tournament(services, tournament_id) for tournament_id in held},
        "names": list((await services[PlayerNames].names(PLAYERS)).values()),
        "theme": (await services[PreferenceService].of_user(ANA))["theme"],
        "theme of the server": (await services[PreferenceService].of_server(SERVER))["theme"],
        "vacations": [[one.since, one.until] for one in await services[VacationService].of(BEN)],
        "lessons": sorted(await services[LearningService].done(ANA, "abalone")),
        "challenges": [
            [one.game, one.opponent, one.points] for one in await services[ChallengeService].pending_of(ANA)
        ],
        "rating": round((await services[RatingService].of(ANA, "backgammon", CORRESPONDENCE)).rating, 6),
        "rolls": rolls.rolls,
        "explored": [move for move, _ in explored.moves],
    }


def _of_game(live: LiveGame) -> dict[str, Any]:
    return {
        "game": live.game.key,
        "players": live.players,
        "entries": live.seq,
        "position": live.game.encode(live.state),
        "to_act": live.to_act,
        "outcome": None if live.outcome is None else [list(live.outcome.points), live.outcome.reason],
    }


async def _of_match(services: Services, match_id: str) -> dict[str, Any]:
    match = await services[MatchService].get(match_id)
    assert match is not None
    return {
        "score": list(match.score),
        "over": match.is_over,
        "games": len(await services[MatchService].game_ids(match_id)),
    }


async def _of_tournament(services: Services, tournament_id: str) -> dict[str, Any]:
    snapshot = await services[TournamentService].snapshot(tournament_id)
    return {
        "name": snapshot.tournament.name,
        "status": snapshot.tournament.status.value,
        "players": [[one.user_id, one.status.value, one.first_place] for one in snapshot.players],
        "pairings": [
            [one.pairing.first, one.state.value, one.result and one.result.value] for one in snapshot.pairings
        ],
    }
