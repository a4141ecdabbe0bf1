"""The games that are over, the last one first."""

from collections.abc import Callable

import pytest
from fakes.clock import START, Clock

from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import FinishedGame, Place
from engine.core.errors import Refused
from engine.core.game import Outcome

pytestmark = pytest.mark.both_databases

ANN, BOB, EVE = 11, 22, 33
HERE = Place(1, 5)
MakeTables = Callable[..., GameService]


async def finish(
    games: GameService,
    clock: Clock,
    players: tuple[int, int] = (ANN, BOB),
    place: Place = HERE,
    loser: int | None = None,
) -> str:
    """Plays a game of one minute, after a minute's pause."""
    clock.pass_seconds(60)
    live = await games.open(NewGame("nim", {"heap": 9, "dice": "no"}, place, "en"), players)
    clock.pass_seconds(60)
    await games.resign(live.id, players[0] if loser is None else loser, 2)
    return live.id


def ids(found: list[FinishedGame]) -> list[str]:
    return [game.id for game in found]


async def test_a_game_that_is_over_in_short(games: GameService, clock: Clock) -> None:
    game_id = await finish(games, clock, place=Place(None, 7), loser=BOB)
    (found,) = await games.recent(ANN, 5)
    outcome = Outcome((2, -2), "end.resigned")
    assert found == FinishedGame(
        game_id, "nim", (ANN, BOB), Place(None, 7), outcome, START + 60_000, START + 120_000, 1
    )
    assert await games.recent(BOB, 5) == [found]


async def test_the_last_ones_of_a_user_in_either_seat(games: GameService, clock: Clock) -> None:
    finished = [await finish(games, clock, players) for players in ((ANN, BOB), (EVE, ANN), (BOB, EVE), (BOB, ANN))]
    await games.open(NewGame("nim", {}, HERE, "en"), (ANN, BOB))  # running
    mine = [finished[3], finished[1], finished[0]]
    for limit in range(5):
        assert ids(await games.recent(ANN, limit)) == mine[:limit]
    assert ids(await games.recent(EVE, 9)) == [finished[2], finished[1]]
    assert await games.recent(44, 9) == []


async def test_a_draw_is_a_game_that_is_over(games: GameService) -> None:
    live = await games.open(NewGame("nim", {}, HERE, "en"), (ANN, BOB))
    await games.offer(live.id, ANN, "draw")
    await games.answer(live.id, BOB, accept=True)
    (found,) = await games.recent(ANN, 1)
    assert (found.outcome, found.outcome.winner) == (Outcome((0, 0), "end.agreed_draw"), None)


async def test_the_newest_is_what_any_process_has_made_of_it(make_games: MakeTables) -> None:
    here, there = make_games(), make_games()
    live = await here.open(NewGame("nim", {"dice": "no"}, HERE, "en"), (ANN, BOB))
    played = await there.play(live.id, ANN, 0, "1")
    assert await here.get(live.id) == live
    assert await here.newest(live.id) == played
    with pytest.raises(Refused, match=r"table\.unknown"):
        await here.newest("nothing")
