"""Arenas and ladders; on both databases, and an arena over the socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fakes.clock import Clock
from harness.bot import bot_running
from harness.discord import buttons
from harness.tournaments import Desk, Event, plan_of

from bot.tournaments.tournament import Ladder, Status
from engine.core.errors import Refused
from engine.core.hours import DAY, MINUTE
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from bot.sandbox.server import Server


async def test_an_arena_pairs_whoever_is_free_until_its_time_is_over(desk: Desk) -> None:
    await desk.begin(plan_of(Format.ARENA, arena=10 * MINUTE), 4)
    assert await desk.running() == []
    await desk.go_on(5)
    assert len(await desk.running()) == 2
    await desk.rounds.rest(desk.tournament_id, 1004)
    desk.decide = lambda stored: min(stored.pairing.players)
    await desk.play_round()
    await desk.go_on(5)
    (running,) = await desk.running()
    assert 4 not in running.pairing.players
    await desk.rounds.come_back(desk.tournament_id, 1004)
    await desk.go_on(5)
    assert len(await desk.running()) == 2
    await desk.go_on(600)
    assert (await desk.snapshot()).tournament.status is Status.RUNNING  # games go on
    await desk.play_round()
    await desk.go_on(5)
    snapshot = await desk.snapshot()
    assert snapshot.tournament.status is Status.OVER
    assert snapshot.player(1).first_place == 1
    with pytest.raises(Refused, match=r"tournament\.rounds\.arena_over"):
        await desk.rounds.rest(desk.tournament_id, 1001)


async def test_an_arena_over_the_socket(stand_in: Server, sqlite_url: str) -> None:
    time = Clock()
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        event = Event.of(stand_in, bot, 4)
        ana = event.people[0]

        def wait(seconds: float) -> None:
            time.pass_seconds(seconds)
            event.look()

        await event.create(plan_of(Format.ARENA, arena=10 * MINUTE))
        await event.start()
        wait(5)
        await event.opened(2)
        wait(3)
        await event.shows("**Cup · Games**", "0 of 2 games finished.")
        message = next(one for one in ana.messages if "Pause" in buttons(one))
        await ana.press("Pause", message)
        assert "You pause." in ana.last["content"]
        await event.play_round()
        wait(5)
        (running,) = await event.opened(1)
        assert 1 not in running.pairing.players
        await ana.press("I'm back", message)
        wait(5)
        await event.opened(2)
        wait(600)
        await event.play_round()
        wait(5)
        await event.status(Status.OVER)
        await event.shows("🏆 **Cup is over**")


@pytest.mark.both_databases
async def test_a_ladder(desk: Desk) -> None:
    ladder = Ladder(reach=2, again=7 * DAY, answer=3 * DAY, idle=30 * DAY)
    await desk.begin(plan_of(Format.LADDER, ladder=ladder), 5)

    async def places() -> list[int | None]:
        return [player.ladder_place for player in (await desk.snapshot()).players]

    for user, opponent, why in ((1004, 1001, "too_far"), (1001, 1002, "not_above"), (1003, 1003, "yourself")):
        with pytest.raises(Refused, match=rf"ladder\.{why}"):
            await desk.rounds.challenge(desk.tournament_id, user, opponent)
    await desk.rounds.challenge(desk.tournament_id, 1004, 1002)
    with pytest.raises(Refused, match=r"ladder\.opponent_busy"):
        await desk.rounds.challenge(desk.tournament_id, 1003, 1002)
    await desk.go_on()
    (stored,) = await desk.running()
    await desk.win(stored, 4)
    assert await places() == [1, 3, 4, 2, 5]
    with pytest.raises(Refused, match=r"ladder\.met_lately"):
        await desk.rounds.challenge(desk.tournament_id, 1002, 1004)
    await desk.rounds.challenge(desk.tournament_id, 1005, 1003)
    await desk.go_on()
    (unanswered,) = await desk.running()
    live = await desk.game(unanswered)
    await desk.games.play(live.id, 1005, None, "a1b1")
    await desk.go_on(3 * DAY / 1000 + 1)
    assert (await desk.pairing(unanswered)).result is Result.FIRST_WINS_BY_FORFEIT
    assert await places() == [1, 3, 5, 2, 4]
    await desk.rounds.withdraw(desk.tournament_id, 1004)
    assert await places() == [1, 2, 4, None, 3]
    await desk.go_on(28 * DAY / 1000)
    assert await places() == [2, 3, 4, None, 1]  # neither the first nor the second has played for so long
