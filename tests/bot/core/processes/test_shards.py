"""Several processes of the bot share the shards, and one takes over those of another that dies."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import bot_running
from harness.discord import Seat, until
from harness.process import BotProcess

from bot.app import keeps_time
from bot.core.processes.identifying import TAKE
from bot.core.processes.link import Link

if TYPE_CHECKING:
    from harness.process import Forks

    from bot.sandbox.server import Server

pytestmark = pytest.mark.long

SHARDS = 3


def served(server: Server) -> dict[int, int]:
    """Returns the number of connections of each shard."""
    found: dict[int, int] = {}
    for session in server.gateway.sessions.values():
        if session.socket is not None:
            found[session.shard] = found.get(session.shard, 0) + 1
    return found


def everywhere(server: Server) -> bool:
    return served(server) == dict.fromkeys(range(SHARDS), 1)


@pytest.fixture
def places(stand_in: Server) -> list[Seat]:
    """Somebody in a server of each shard."""
    world = stand_in.world
    world.shards = SHARDS
    world.identify_pause = 0.2
    guilds = [world.guild_id, *(world.add_guild(f"G{n}") for n in range(5))]
    by_shard = {(guild >> 22) % SHARDS: guild for guild in guilds}
    assert len(by_shard) == SHARDS
    ana = Seat.join(world, "Ana", world.add_channel("here", by_shard[0]))
    return [ana.at(world.add_channel("here", guild)) for _, guild in sorted(by_shard.items())]


@pytest.mark.xdist_group("kill")
async def test_processes_share_the_shards_and_take_over_those_of_the_dead(
    stand_in: Server, postgres_url: str, forks: Forks, places: list[Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    registered: list[Any] = []
    register = stand_in.world.registered.replace

    def counted(*given: Any) -> Any:
        registered.append(given)
        return register(*given)

    monkeypatch.setattr(stand_in.world.registered, "replace", counted)
    async with (
        BotProcess(stand_in, postgres_url, forks, several=True) as one,
        BotProcess(stand_in, postgres_url, forks, several=True) as two,
        BotProcess(stand_in, postgres_url, forks, several=True) as three,
    ):
        processes = [one, two, three]
        for process, identifies in zip(processes, (3, 4, 5), strict=True):
            process.given |= {"IDENTIFY_PAUSE": "1.0"}
            await process.start()
            await until(
                lambda most=identifies: len(stand_in.gateway.identifies) == most, "it has its share", seconds=60
            )
            await until(lambda: everywhere(stand_in), "every shard is connected")
        for place in places:
            await place.slash("abak help")
        one.strike()
        await until(lambda: not everywhere(stand_in), "its connections have broken")
        await until(lambda: everywhere(stand_in), "the shards of the killed process are taken over")
        for place in places:
            await place.slash("abak help")
        await two.stop()
        await until(lambda: everywhere(stand_in), "the shards of the stopped process are taken over")
        for place in places:
            await place.slash("abak help")
        assert len({(shard, count) for shard, count, _ in stand_in.gateway.identifies}) == SHARDS
        assert not [one for one in stand_in.gateway.identifies if one[2]], "no identify came too early"
        assert len(registered) == 1


def connected(*shards: int) -> dict[str, str]:
    return dict.fromkeys(map(str, shards), "connected")


async def test_shards_of_one_rate_limit_key_identify_in_turn_over_all_processes_and_others_at_once(
    stand_in: Server, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key of a shard is its number modulo `max_concurrency`."""
    monkeypatch.setattr("bot.core.processes.runner.POLL", 0.1)  # the other takes its part within the pause
    world, pause = stand_in.world, 4.0
    world.shards, world.max_concurrency, world.identify_pause = 4, 2, pause / 2
    fetch, turns = Link.fetch, list[tuple[object, bool]]()

    async def fetched(link: Link, query: str, *values: object) -> list[Any]:
        rows = await fetch(link, query, *values)
        if query == TAKE:
            turns.append((values[0], bool(rows)))
        return rows

    monkeypatch.setattr(Link, "fetch", fetched)
    async with (
        bot_running(stand_in, postgres_url, identify_pause=pause) as one,
        bot_running(stand_in, postgres_url, identify_pause=pause) as two,
    ):
        await until(
            lambda: [bot.runner.states() for bot in (one, two)] == [connected(0, 1), connected(2, 3)],
            "they share the shards, and all are connected",
            seconds=30,
        )
    identifies = stand_in.gateway.identifies
    assert {shard for shard, *_ in identifies[:2]} == {0, 1}
    assert turns[:2] == [(0, True), (1, True)], "each key has its turn at once"
    assert len(identifies) >= 4
    assert not [shard for shard, _, too_early in identifies if too_early], "two of one key came within the pause"


async def test_a_spare_is_ready_and_takes_over(stand_in: Server, postgres_url: str) -> None:
    """A rolling upgrade waits for it to be ready, though there is no shard left for it."""
    stand_in.world.shards = 1
    async with bot_running(stand_in, postgres_url) as spare_of, bot_running(stand_in, postgres_url) as spare:
        assert spare.runner.is_spare
        assert (spare.runner.states(), await spare.connected(), await keeps_time(spare)) == ({}, True, True)
        await spare_of.runner.stop()
        await until(lambda: spare.runner.states() == {"0": "connected"}, "it has taken over")
        assert not spare.runner.is_spare


@pytest.mark.xdist_group("kill")
async def test_a_spare_takes_over_from_a_process_that_is_killed(
    stand_in: Server, postgres_url: str, forks: Forks
) -> None:
    world = stand_in.world
    world.shards = 1
    async with BotProcess(stand_in, postgres_url, forks, several=True) as holder, AsyncExitStack() as running:
        holder.given["IDENTIFY_PAUSE"] = "5.0"
        await holder.start()
        await holder.ready()
        spare = await running.enter_async_context(bot_running(stand_in, postgres_url, identify_pause=5.0))
        assert spare.runner.is_spare
        ana = Seat.join(world, "Ana", world.add_channel("here"))
        await ana.slash("abak help")
        holder.strike()
        await until(lambda: spare.runner.states() == {"0": "connected"}, "it has taken over")
        assert served(stand_in) == {0: 1}
        await ana.slash("abak help")
