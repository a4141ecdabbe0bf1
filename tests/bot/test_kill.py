"""The bot is killed at any moment, again and again, and started anew: no move is lost, doubled or shown twice."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.books import Books
from harness.bot import shows_board
from harness.corners import EDIT, NOT_NOTED, NOT_PLAYED, NOT_SHOWN, SHOWN, Corner, corners_of, tidy
from harness.discord import until
from harness.process import BotProcess, Starter, plainly
from harness.thinning import in_number

from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from harness.process import Forks

    from bot.sandbox.server import Server

WITHIN: Final = 0.08
"""Seconds after the moves are sent in which the bot is killed."""
STARTING: Final = 0.5
"""Seconds in which a bot is killed while it starts and takes up what the one before left undone."""
EVENTS: Final = ("interaction", "message_create", "message_update")
"""When the stand-in has an answer, a board, the old board without its buttons; before the bot knows that it has."""
MOMENTS: Final = ("soon", *EVENTS, "commit", "between", "start")
MORE: Final = 12


async def quiet(process: BotProcess, corners: list[Corner], books: Books) -> None:
    """Waits until the bot hears, and has shown all there is to show."""
    await process.ready()

    async def shown() -> bool:
        present = [await corner.present(books) for corner in corners]
        return all(stored is None or stored.shown_seq == len(stored.record.entries) for stored in present)

    await until(shown, "every board is shown")
    await books.end_leases()  # a board that was sent after a kill is not deleted for a minute
    await until(lambda: all(tidy(corner) for corner in corners), "the old boards are tidied")


async def until_moment(moment: str, process: BotProcess, corners: list[Corner], books: Books, delay: float) -> None:
    """Waits for the moment, and kills the bot in it; if it does not come, after a second."""
    world = process.world

    def strike(event: dict[str, Any]) -> None:
        answered = moment == "interaction" and event.get("state") == "answered"
        if event["type"] == moment and (answered or "only" not in event):
            process.strike()

    async def wait() -> None:
        if moment == "commit":
            while not [corner for corner in corners if await corner.unshown(books)]:  # noqa: ASYNC110
                await asyncio.sleep(0.002)
        elif moment in EVENTS:
            await until(lambda: process.dead, seconds=1)
        else:
            await asyncio.sleep(delay)

    stop = world.subscribe(strike)
    with contextlib.suppress(TimeoutError, AssertionError):
        await asyncio.wait_for(wait(), 1)
    stop()
    await process.kill()


async def until_state(state: str, process: BotProcess, corners: list[Corner], books: Books) -> None:
    """Waits until a turn has come to that state, and kills the bot in it."""
    stays = state in {NOT_SHOWN, SHOWN}
    known = {corner.shows(board) for corner in corners for board in corner.room.boards}

    def strike(event: dict[str, Any]) -> None:
        for corner in corners:
            if corner.tried and event.get("channel_id") == corner.room.channel_id:
                public = event["type"] in EVENTS[1:] and "only" not in event and shows_board(event["message"])
                is_shown = public and corner.shows(event["message"]) not in known
                if (state == NOT_NOTED and is_shown) or (state == NOT_PLAYED and event.get("state") == "sent"):
                    process.strike()

    for shows_it in ("/callback", "POST /channels", "PATCH /channels") if state == NOT_SHOWN else ():
        process.world.faults.fail_next(shows_it, status=429, retry_after=60, times=100)
    stop = process.world.subscribe(strike)

    async def has_come() -> bool:
        return process.dead or (stays and state in [await corner.state(books) for corner in corners])

    with contextlib.suppress(AssertionError):
        await until(has_come, "a turn has come to that state")
    stop()
    await process.kill()
    process.world.faults.clear()


def planned(moments: list[str], states: Collection[str], tally: Counter[str]) -> Iterator[str]:
    """Yields the moments; then, up to MORE times, a state that none of the kills has met."""
    yield from moments
    for _ in range(MORE):
        if missing := [state for state in states if not tally[state]]:
            yield missing[0]


ACTS: Final = ("a challenge", "its acceptance", "a turn")
"""The acts of everybody at the end, however early the kills came."""


async def kill_and_go_on(
    server: Server,
    url: str,
    start: Starter,
    corners: list[Corner],
    *,
    kills: int,
    seed: int,
    order: signal.Signals = signal.SIGKILL,
    states: Collection[str] = (),
) -> Counter[str]:
    """Kills the bot so many times, and more if a state was not met; checks after each; what it had come to then."""
    rng = random.Random(seed)
    moments = [MOMENTS[number % len(MOMENTS)] for number in range(kills)]
    rng.shuffle(moments)
    tally: Counter[str] = Counter()
    async with Books(url) as books, BotProcess(server, url, start) as process:
        process.order = order
        await process.start()
        for number, moment in enumerate(planned(moments, states, tally)):
            if moment == "start":
                await asyncio.sleep(rng.uniform(0, STARTING))
                await process.kill()
            else:
                await quiet(process, corners, books)
                for corner in corners:
                    await corner.check(books)
                acts = [asyncio.create_task(corner.act(books)) for corner in corners]
                if moment == "between":
                    await asyncio.gather(*acts)
                    assert [corner.tried for corner in corners] == [corner.promised for corner in corners]
                if moment in states:
                    await until_state(moment, process, corners, books)
                else:
                    await until_moment(moment, process, corners, books, rng.uniform(0, WITHIN))
                for act in acts:
                    act.cancel()
                await asyncio.gather(*acts, return_exceptions=True)
                assert [act.exception() for act in acts if not act.cancelled() and act.exception()] == []
                tally.update([await corner.state(books) for corner in corners])
            await books.end_leases()
            if number % 2:
                server.world.messages.nonces.clear()  # Discord forgets them after some minutes
            await process.start()
        for _ in ACTS:
            await quiet(process, corners, books)
            for corner in corners:
                await corner.check(books)
                await corner.act(books)
        await quiet(process, corners, books)
        for corner in corners:
            await corner.check(books)
        await process.stop()
    assert all(corner.played for corner in corners)
    return tally


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.xdist_group("kill")
@in_number("kills", 10, 8 * len(MOMENTS))
async def test_games_outlive_every_kill(stand_in: Server, sqlite_url: str, forks: Forks, kills: int) -> None:
    corners = corners_of(stand_in, list(GAMES))
    states = (NOT_PLAYED, NOT_SHOWN, NOT_NOTED, SHOWN)
    tally = await kill_and_go_on(stand_in, sqlite_url, forks, corners, kills=kills, seed=1, states=states)
    assert min(tally[state] for state in states) > 0, tally
    assert kills < 50 or any(corner.ended for corner in corners)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.xdist_group("kill")
@in_number("kills", 2, 2 * len(MOMENTS))
@pytest.mark.parametrize("mode", ["delete", EDIT])
async def test_games_outlive_kills_whatever_becomes_of_old_boards(
    stand_in: Server, sqlite_url: str, forks: Forks, mode: str, kills: int
) -> None:
    corners = corners_of(stand_in, list(GAMES), mode)
    async with Books(sqlite_url) as books:
        await books.set_server(stand_in.world.guild_id, "old_board", mode)
    states = (NOT_PLAYED, NOT_SHOWN, NOT_NOTED)
    tally = await kill_and_go_on(stand_in, sqlite_url, forks, corners, kills=kills, seed=4, states=states)
    assert min(tally[state] for state in states) > 0, tally


@pytest.mark.long
@pytest.mark.timeout(120)
@pytest.mark.xdist_group("kill")
@in_number("kills", 2, len(MOMENTS))
async def test_games_outlive_kills_on_postgres(stand_in: Server, postgres_url: str, forks: Forks, kills: int) -> None:
    corners = corners_of(stand_in, ["backgammon", "apb"])
    await kill_and_go_on(stand_in, postgres_url, forks, corners, kills=kills, seed=2)


@pytest.mark.long
@pytest.mark.timeout(120)
@pytest.mark.xdist_group("kill")
@in_number("kills", 1, len(MOMENTS))
async def test_the_bot_as_an_operator_starts_it_outlives_kills(stand_in: Server, sqlite_url: str, kills: int) -> None:
    corners = corners_of(stand_in, ["abak", "abalone"])
    await kill_and_go_on(stand_in, sqlite_url, plainly, corners, kills=kills, seed=3)


@pytest.mark.long
@pytest.mark.timeout(180)
@pytest.mark.xdist_group("kill")
@in_number("orders", 2, 2 * len(MOMENTS))
async def test_games_outlive_every_order_to_stop(stand_in: Server, sqlite_url: str, forks: Forks, orders: int) -> None:
    """What is under way is answered and shown, or is taken up by the next start."""
    corners = corners_of(stand_in, list(GAMES))
    await kill_and_go_on(stand_in, sqlite_url, forks, corners, kills=orders, seed=5, order=signal.SIGTERM)
