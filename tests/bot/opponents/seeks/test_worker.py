"""The machine accepts challenges to anyone, seen from the channel."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import Clock
from fakes.outbox import rows
from fakes.thinker import with_thinker
from harness.bot import SPANISH, Room, bot_running, milliseconds, told
from harness.discord import text, until
from harness.scene import Scene

from bot.challenges.service import ChallengeService
from bot.core.translations import language
from bot.games.service import GameService
from bot.notifications.service import NotificationService
from bot.opponents.seeks.service import TAKEN
from bot.opponents.seeks.worker import SeekWorker
from bot.players.machines import machine_name
from bot.players.service import PreferenceService
from bot.sandbox.state import permissions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

EN = language("en")
LEVEL = 3
WAIT = 600


@asynccontextmanager
async def running(stand_in: Server, url: str, **settings: Any) -> AsyncIterator[Scene]:
    """Yields a room whose machine accepts challenges to anyone after ten minutes."""
    clock = Clock(milliseconds())
    async with bot_running(stand_in, url, now=clock, **settings) as bot:
        with_thinker(bot)
        scene = Scene(Room.of(stand_in, bot), clock)
        await choose(scene, "machine_seeks", "10")
        yield scene


@pytest.fixture
async def scene(stand_in: Server, sqlite_url: str, at_once: None) -> AsyncIterator[Scene]:
    del at_once
    async with running(stand_in, sqlite_url) as found:
        yield found


async def choose(scene: Scene, key: str, value: object) -> None:
    await scene.bot.service(PreferenceService).set_server(scene.world.guild_id, key, str(value))


async def look(scene: Scene, seconds: float = 0.0) -> None:
    """Lets the machine look for challenges so much later."""
    scene.time.pass_seconds(seconds)
    await scene.bot.service(SeekWorker).run_once()


async def game_of_ana(scene: Scene) -> LiveGame | None:
    """Returns her game, once its board shows it and she is to move; None if there is none."""
    games = scene.bot.service(GameService)
    found = await games.of(scene.room.ana.user_id)
    if not found:
        return None

    async def shown() -> bool:
        live = await games.newest(found[0].id)
        return live.awaited == scene.room.ana.user_id and live.shown_seq == live.seq

    await until(shown, "it is Ana's turn")
    return await games.newest(found[0].id)


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_a_challenge_that_nobody_accepts_is_played_by_the_machine(scene: Scene, locale: str) -> None:
    room, say = scene.room, language(locale[:2])
    room.speak(locale)
    message = await room.challenge("abalone", opponent=None)
    await look(scene, WAIT - 1)
    assert await game_of_ana(scene) is None
    await look(scene, 1)
    live = await game_of_ana(scene)
    assert live is not None
    assert live.players == (room.ana.user_id, LEVEL)
    assert not live.record.header.rated  # as the challenge was, in a server that lets the machine play no rated games
    accepted = say("challenge.accepted", player=machine_name(LEVEL, say))
    await until(lambda: accepted in text(room.ana.fresh(message)), "the challenge says who has accepted")
    assert say("challenge.casual_machine") in text(room.ana.fresh(message))
    begins = say("seek.taken", opponent=machine_name(LEVEL, say), game="Abalone", link="").strip()
    direct = room.ana.direct()
    await until(lambda: [m for m in direct.messages if begins in text(m)], "Ana is told")
    assert say("challenge.casual_machine") in text(direct.last)
    assert room.pings == []  # one message about the beginning is enough
    await look(scene, WAIT)
    assert len(await scene.bot.service(GameService).of(room.ana.user_id)) == 1


async def test_the_challenger_is_told_only_of_a_game_that_goes_on(scene: Scene) -> None:
    notifications = scene.bot.service(NotificationService)
    await scene.room.challenge("abalone", opponent=None)
    await look(scene, WAIT)
    live = await game_of_ana(scene)
    assert live is not None
    (challenge,) = {row.subject for row in await rows(notifications, TAKEN)}
    place = {"guild_id": live.place.guild_id, "channel_id": live.place.channel_id, "locale": "en"}
    notice = notifications.notice(scene.room.ana.user_id, TAKEN, challenge, game_id=live.id, **place)
    kind = notifications.kinds[TAKEN]
    assert await kind.is_current(notice)
    assert not await kind.is_current(replace(notice, subject="gone"))
    await scene.bot.service(GameService).resign(live.id, scene.room.ana.user_id, 1)
    assert not await kind.is_current(notice)


async def test_rated_games_are_rated_where_the_server_allows_them(scene: Scene) -> None:
    await choose(scene, "machine_rated", "yes")
    message = await scene.room.challenge("abalone", opponent=None)
    await look(scene, WAIT)
    live = await game_of_ana(scene)
    assert live is not None
    assert live.record.header.rated
    accepted = EN("challenge.accepted", player=machine_name(LEVEL, EN))
    await until(lambda: accepted in text(scene.room.ana.fresh(message)), "the challenge says who has accepted")
    assert EN("challenge.casual_machine") not in text(scene.room.ana.fresh(message))


async def test_beside_another_game_it_opens_a_thread(scene: Scene) -> None:
    room = scene.room
    await room.begin("apb")
    message = await room.ben.slash("abak challenge", game="abalone", rated=True)
    await room.told_all()
    await look(scene, WAIT)
    games = await scene.bot.service(GameService).of(room.ben.user_id)
    (game,) = (game for game in games if LEVEL in game.players)
    assert message.message is not None
    assert game.place.channel_id == int(message.message["id"])  # a thread has the id of its message
    assert "Ben" in scene.world.channels[game.place.channel_id]["name"]


@pytest.mark.parametrize("why", ["roles", "channels", "nowhere", "left", "permission"])
async def test_it_accepts_none_where_the_challenger_could_not_play_it(scene: Scene, why: str) -> None:
    room, world = scene.room, scene.world
    await room.challenge("abalone", opponent=None)
    if why == "roles":
        world.grant(world.guild_id, room.ben.user_id, permissions.MEMBER)
        await choose(scene, "machine_roles", world.members[world.guild_id][room.ben.user_id]["roles"][0])
    elif why == "channels":
        await choose(scene, "machine_channels", world.add_channel("hall"))
    elif why == "nowhere":
        await choose(scene, "machine", "nowhere")
    elif why == "left":
        world.remove_member(world.guild_id, room.ana.user_id)
    else:
        world.deny(room.channel_id, permissions.ATTACH_FILES)
    await look(scene, WAIT)
    await look(scene)
    assert await scene.bot.service(GameService).of(room.ana.user_id) == []
    assert await scene.bot.service(ChallengeService).open_of(room.ana.user_id) == 1
    assert len(scene.bot.service(SeekWorker)._rests) == 1


async def test_one_that_cannot_be_accepted_keeps_no_other_waiting(scene: Scene) -> None:
    room, world = scene.room, scene.world
    await room.challenge("abalone", opponent=None)
    world.deny(room.channel_id, permissions.ATTACH_FILES)
    elsewhere = room.elsewhere(world.add_channel("hall"))
    await elsewhere.ben.slash("abak challenge", game="abalone", rated=True)
    await room.told_all()
    await look(scene, WAIT)
    assert len(await scene.bot.service(GameService).of(room.ben.user_id)) == 1
    assert await scene.bot.service(GameService).of(room.ana.user_id) == []


@pytest.fixture
def opening(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> tuple[asyncio.Event, asyncio.Event]:
    """Holds up the first acceptor before they open the thread. Returns the events "has arrived" and "may go on"."""
    reserved, go_on = asyncio.Event(), asyncio.Event()
    challenges = scene.bot.service(ChallengeService)
    reserve = challenges.reserve

    async def slowly(challenge_id: str, user_id: int) -> None:
        await reserve(challenge_id, user_id)
        reserved.set()
        await go_on.wait()

    monkeypatch.setattr(challenges, "reserve", slowly)
    return reserved, go_on


@pytest.mark.parametrize("first", ["person", "machine"])
async def test_of_a_person_and_the_machine_the_first_has_the_game(
    scene: Scene, opening: tuple[asyncio.Event, asyncio.Event], first: str
) -> None:
    room, (reserved, go_on) = scene.room, opening
    await choose(scene, "threads", "always")
    message = await room.challenge("abalone", opponent=None)
    scene.time.pass_seconds(WAIT)
    ways = [partial(room.ben.press, "b:accept_challenge:", message), partial(look, scene)]
    early, late = ways if first == "person" else ways[::-1]
    accepting = asyncio.create_task(early())
    await reserved.wait()
    await late()
    if first == "machine":
        assert told(room.ben) == EN("challenge.closed")
    go_on.set()
    await accepting
    await room.told_all()
    (game,) = await scene.bot.service(GameService).of(room.ana.user_id)
    assert set(game.players) == {room.ana.user_id, room.ben.user_id if first == "person" else LEVEL}


async def test_the_challenge_waits_through_a_restart(stand_in: Server, sqlite_url: str, at_once: None) -> None:
    """The database alone knows what is to be done."""
    del at_once
    async with running(stand_in, sqlite_url) as before:
        room = before.room
        await room.challenge("abalone", opponent=None)
        before.time.pass_seconds(WAIT)
        later = before.time.at
    async with bot_running(stand_in, sqlite_url, now=Clock(later)) as bot:
        with_thinker(bot)
        await bot.service(SeekWorker).run_once()
        await bot.service(SeekWorker).run_once()
        assert len(await bot.service(GameService).of(room.ana.user_id)) == 1


async def test_without_machines_it_expires_as_ever(stand_in: Server, sqlite_url: str) -> None:
    async with running(stand_in, sqlite_url, machine_workers=0) as scene:
        await scene.room.challenge("abalone", opponent=None)
        await look(scene, WAIT)
        await look(scene, 12 * WAIT)
        assert await scene.bot.service(GameService).of(scene.room.ana.user_id) == []
