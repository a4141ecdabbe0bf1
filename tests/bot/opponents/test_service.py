"""Tests the acts of a machine in a game: its turn, its answers to offers, and nothing out of date."""

import asyncio
from collections.abc import Callable

import pytest
from fakes.clock import Clock
from fakes.thinker import FirstTurn

from bot.games.actions import Action
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import LATE_MS, GameService
from bot.games.stored import Place
from bot.opponents.pool import Unavailable
from bot.opponents.service import EARLIEST_DRAW, OpponentService, turns_played
from engine.core.errors import Refused
from engine.core.hours import HOUR, MINUTE
from engine.core.record import Kind
from engine.core.timekeeping import ABANDONED

ANN, MACHINE, OTHER = 11, 3, 5


@pytest.fixture
def thinker() -> FirstTurn:
    return FirstTurn()


@pytest.fixture
def opponents(games: GameService, thinker: FirstTurn, clock: Clock) -> OpponentService:
    return OpponentService(games, thinker, clock)


async def begun(
    games: GameService, players: tuple[int, int] = (MACHINE, ANN), clock: str = "", heap: int = 9
) -> LiveGame:
    """Begins a game without dice, each turn of which takes one to three of the heap."""
    return await games.open(NewGame("nim", {"heap": heap, "dice": "no"}, Place(1, 5), "en", clock), players)


async def act(opponents: OpponentService, live: LiveGame) -> LiveGame:
    deed = await opponents.decide(live)
    assert deed is not None
    return await deed()


def last(live: LiveGame) -> tuple[Kind, int, str]:
    entry = live.entries[-1]
    return entry.kind, entry.seat, entry.body


async def test_it_plays_its_turn_and_then_waits(
    games: GameService, opponents: OpponentService, thinker: FirstTurn
) -> None:
    live = await act(opponents, await begun(games))
    assert last(live) == (Kind.PLAY, 0, "1")
    assert await opponents.decide(live) is None
    assert [(question.level, question.position) for question in thinker.asked] == [(MACHINE, "9:0:0:0")]


async def test_the_same_position_is_asked_about_in_the_same_way(
    games: GameService, opponents: OpponentService, thinker: FirstTurn
) -> None:
    live = await begun(games)
    await opponents.decide(live)
    await act(opponents, live)
    live = await games.play(live.id, ANN, None, "1")
    await act(opponents, live)
    first, again, later = thinker.asked
    assert first == again
    assert first.seed != later.seed


async def test_of_two_who_act_at_once_one_plays(
    games: GameService, make_games: Callable[..., GameService], thinker: FirstTurn, clock: Clock
) -> None:
    live = await begun(games)
    deeds = [await OpponentService(each, thinker, clock).decide(live) for each in (games, make_games())]
    done = await asyncio.gather(*(deed() for deed in deeds if deed is not None), return_exceptions=True)
    assert [error.key for error in done if isinstance(error, Refused)] == ["table.stale"]
    assert (await games.newest(live.id)).seq == 1


async def test_an_answer_to_a_position_that_is_gone_is_dropped(
    games: GameService, opponents: OpponentService, thinker: FirstTurn
) -> None:
    live = await begun(games, (ANN, MACHINE))
    live = await games.play(live.id, ANN, None, "1")
    thinker.free.clear()
    deciding = asyncio.create_task(opponents.decide(live))
    await games.ask_back(live.id, ANN)
    await games.answer(live.id, MACHINE, accept=True)
    back = await games.play(live.id, ANN, None, "2")
    thinker.free.set()
    deed = await deciding
    assert deed is not None
    with pytest.raises(Refused, match=r"table\.stale"):
        await deed()
    assert (await games.newest(live.id)).seq == back.seq
    assert last(await act(opponents, back)) == (Kind.PLAY, 1, "1")


@pytest.mark.parametrize("move", ["4", "nonsense", ""])
async def test_what_cannot_be_played_is_never_played(
    games: GameService, opponents: OpponentService, thinker: FirstTurn, move: str
) -> None:
    live = await begun(games)
    thinker.answers = {"move": move}
    with pytest.raises(Unavailable):
        await opponents.decide(live)
    assert (await games.newest(live.id)).seq == 0


@pytest.mark.parametrize("what", ["pause", "adjourn 2d/move", "takeback"])
async def test_it_always_accepts_what_costs_nothing(
    games: GameService, opponents: OpponentService, thinker: FirstTurn, what: str
) -> None:
    live = await begun(games, (ANN, MACHINE), "1d/move")
    live = await games.play(live.id, ANN, None, "1")
    live = await (games.ask_back(live.id, ANN) if what == "takeback" else games.offer(live.id, ANN, what))
    live = await act(opponents, live)
    assert last(live) == (Kind.ACCEPT, 1, what)
    assert thinker.asked == []


@pytest.mark.parametrize("own_turn", [True, False])
@pytest.mark.parametrize("good", [True, False])
async def test_it_accepts_a_draw_where_it_is_not_ahead(
    games: GameService, opponents: OpponentService, thinker: FirstTurn, *, own_turn: bool, good: bool
) -> None:
    """The value is that of who is to act, so it means the opposite while the person is."""
    players = (MACHINE, ANN) if own_turn else (ANN, MACHINE)
    live = await games.offer((await long_game(games, players)).id, ANN, "draw")
    ahead = good == own_turn
    thinker.answers = {"value": 0.5 if ahead else -0.5, "accept_draw": not ahead}
    live = await act(opponents, live)
    assert last(live)[0] is (Kind.DECLINE if good else Kind.ACCEPT)


async def long_game(games: GameService, players: tuple[int, int], turns: int = EARLIEST_DRAW) -> LiveGame:
    """Plays a game of so many turns."""
    live = await begun(games, players, heap=99)
    for number in range(turns):
        live = await games.play(live.id, players[number % 2], None, "1")
    return live


async def test_it_declines_a_draw_before_the_game_has_gone_on_for_a_while(
    games: GameService, opponents: OpponentService, thinker: FirstTurn
) -> None:
    live = await long_game(games, (ANN, MACHINE), EARLIEST_DRAW - 1)
    live = await act(opponents, await games.offer(live.id, ANN, "draw"))
    assert last(live) == (Kind.DECLINE, 1, "draw")
    assert thinker.asked == []


async def test_a_roll_before_a_turn_is_no_turn_of_its_own(games: GameService) -> None:
    live = await games.open(NewGame("backgammon", {"cube": "on"}, Place(1, 5), "en"), (ANN, 22))
    for _ in range(2):
        assert live.to_act is not None
        legal = [text for _, text in live.game.written_turns(live.state)]
        live = await games.play(live.id, live.to_act, None, "roll" if "roll" in legal else legal[0])
    assert turns_played(live) == 1


async def test_nothing_is_taken_back_in_a_rated_game_against_it(games: GameService) -> None:
    nim = {"heap": 9, "dice": "no"}
    live = await games.open(NewGame("nim", nim, Place(1, 5), "en", rated=True), (ANN, MACHINE))
    live = await games.play(live.id, ANN, None, "1")
    with pytest.raises(Refused, match=r"table\.takeback_machine"):
        await games.ask_back(live.id, ANN)
    assert not games.may(live, ANN, Action.TAKEBACK)
    people = await games.open(NewGame("nim", nim, Place(1, 6), "en", rated=True), (ANN, 22))
    people = await games.play(people.id, ANN, None, "1")
    assert games.may(people, ANN, Action.TAKEBACK)


@pytest.mark.parametrize(("value", "kind"), [(1.5, Kind.DECLINE), (0.5, Kind.ACCEPT)])
async def test_it_accepts_a_resignation_that_is_worth_as_much_as_the_game(
    games: GameService, opponents: OpponentService, thinker: FirstTurn, value: float, kind: Kind
) -> None:
    live = await begun(games)
    live = await games.resign(live.id, ANN, 1)
    assert live.offer is not None
    thinker.answers = {"value": value}
    assert last(await act(opponents, live))[0] is kind


async def test_it_offers_to_resign_once_and_plays_on_if_that_is_declined(
    games: GameService, opponents: OpponentService, thinker: FirstTurn
) -> None:
    thinker.answers = {"resign": 1}
    live = await act(opponents, await begun(games))
    assert last(live) == (Kind.OFFER, 0, "resign 1")
    assert opponents.acting_seat(live) is None
    live = await games.answer(live.id, ANN, accept=False)
    live = await act(opponents, live)
    assert last(live) == (Kind.PLAY, 0, "1")
    live = await games.play(live.id, ANN, None, "1")
    assert last(await act(opponents, live)) == (Kind.PLAY, 0, "1")


async def test_it_ends_a_pause_when_the_person_asks(games: GameService, opponents: OpponentService) -> None:
    live = await begun(games, (ANN, MACHINE), "1d/move")
    live = await games.offer(live.id, ANN, "pause")
    live = await act(opponents, live)
    assert live.paused
    assert await opponents.decide(live) is None
    live = await games.resume(live.id, ANN)
    live = await act(opponents, live)
    assert not live.paused


@pytest.mark.both_databases
@pytest.mark.parametrize("rated", [False, True])
async def test_a_game_that_the_person_has_left_ends_in_a_draw_but_a_rated_one_is_won(
    games: GameService, opponents: OpponentService, clock: Clock, *, rated: bool
) -> None:
    live = await games.open(NewGame("nim", {"heap": 9, "dice": "no"}, Place(1, 5), "en", rated=rated), (ANN, MACHINE))
    for _ in range(2):
        live = await act(opponents, await games.play(live.id, ANN, None, "1"))
    clock.at += ABANDONED - MINUTE
    live = await games.tick(live.id)
    assert await games.waiting_for_machines([0], 1) == []
    assert await opponents.decide(live) is None
    clock.at += 2 * MINUTE
    live = await games.tick(live.id)
    assert await games.waiting_for_machines([0], 1) == [live.id]
    live = await act(opponents, live)
    assert live.outcome is not None
    assert live.outcome.reason != "end.aborted"
    assert live.outcome.winner == (1 if rated else None)


@pytest.mark.both_databases
@pytest.mark.parametrize("policy", ["claim", "loss"])
async def test_a_game_whose_time_is_up_is_claimed_a_day_later(
    games: GameService, opponents: OpponentService, clock: Clock, policy: str
) -> None:
    nim = {"heap": 9, "dice": "no"}
    live = await games.open(NewGame("nim", nim, Place(1, 5), "en", "1h/move", policy), (ANN, MACHINE))
    for _ in range(2):
        live = await act(opponents, await games.play(live.id, ANN, None, "1"))
    clock.at += 2 * HOUR
    live = await games.tick(live.id)
    assert await games.waiting_for_machines([0], 1) == []
    assert await opponents.decide(live) is None
    assert live.is_over is (policy == "loss")
    if live.is_over:
        return
    clock.at += LATE_MS
    assert await games.waiting_for_machines([0], 1) == [live.id]
    live = await act(opponents, await games.tick(live.id))
    assert live.outcome is not None
    assert live.outcome.winner == 1


async def test_an_offer_of_the_machine_that_the_person_has_left_is_withdrawn(
    games: GameService, opponents: OpponentService, thinker: FirstTurn, clock: Clock
) -> None:
    thinker.answers = {"resign": 1}
    live = await act(opponents, await begun(games))
    assert await games.waiting_for_machines([0], 1) == []
    clock.at += ABANDONED + MINUTE
    live = await games.tick(live.id)
    assert await games.waiting_for_machines([0], 1) == [live.id]
    live = await act(opponents, live)
    assert live.offer is None
    live = await act(opponents, live)
    assert last(live) == (Kind.PLAY, 0, "1")
    clock.at += ABANDONED + MINUTE
    live = await act(opponents, await games.tick(live.id))
    assert live.outcome is not None


async def test_a_person_may_ask_a_machine_as_often_as_they_like(
    make_games: Callable[..., GameService], thinker: FirstTurn, clock: Clock
) -> None:
    games = make_games(limited=True)
    opponents, live = OpponentService(games, thinker, clock), await begun(games, (ANN, MACHINE))
    for _ in range(12):
        live = await games.play(live.id, ANN, None, "1")
        live = await act(opponents, await games.ask_back(live.id, ANN))
        assert last(live) == (Kind.ACCEPT, 1, "takeback")


async def test_a_machine_that_could_not_think_for_weeks_plays_on(
    games: GameService, opponents: OpponentService, clock: Clock
) -> None:
    live = await begun(games)
    clock.at += ABANDONED + MINUTE
    live = await games.tick(live.id)
    assert live.overdue == 0
    assert last(await act(opponents, live)) == (Kind.PLAY, 0, "1")


@pytest.mark.both_databases
async def test_all_games_that_wait_for_a_machine_are_found_and_no_others(
    games: GameService, opponents: OpponentService
) -> None:
    async def at(channel: int, players: tuple[int, int], clock: str = "", guild: int = 1) -> LiveGame:
        place = Place(guild, channel)
        return await games.open(NewGame("nim", {"heap": 9, "dice": "no"}, place, "en", clock), players)

    turn, persons = await at(1, (MACHINE, ANN)), await at(2, (ANN, MACHINE))
    asked = await games.offer((await at(3, (ANN, MACHINE))).id, ANN, "draw")
    own_offer = await games.offer((await at(4, (MACHINE, ANN))).id, MACHINE, "draw")
    paused = await games.offer((await at(5, (MACHINE, ANN), "1d/move")).id, ANN, "pause")
    await games.answer(paused.id, MACHINE, accept=True)
    resuming = await games.offer((await at(6, (MACHINE, ANN), "1d/move")).id, ANN, "pause")
    await games.answer(resuming.id, MACHINE, accept=True)
    await games.resume(resuming.id, ANN)
    between = await at(7, (MACHINE, OTHER))
    over = await games.resign((await at(8, (MACHINE, ANN))).id, ANN, 2)
    people = await at(9, (ANN, 22))
    elsewhere = await at(10, (MACHINE, ANN), guild=1 << 22)  # the other of two shards
    found = set(await games.waiting_for_machines([0], 2))
    waiting = [live.id for live in (turn, asked, resuming, between)]
    assert found >= set(waiting)
    for live in (persons, own_offer, paused, over, people, elsewhere):
        assert live.id not in found
    assert [opponents.acting_seat(await games.newest(id_)) for id_ in waiting] == [0, 1, 0, 0]
    assert {*await games.waiting_for_machines([0, 1], 2)} == {*found, elsewhere.id}
