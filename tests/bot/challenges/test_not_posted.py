"""Challenges are stored even if their message was not sent, or was sent and not noted."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any
from unittest.mock import AsyncMock

import discord
import pytest
from harness.boards import assert_shown_once
from harness.bot import Room, bot_running, milliseconds, private, told, told_all, wired
from harness.discord import Seat, text, until
from sqlalchemy import update

from bot.challenges import views
from bot.challenges.repository import POSTING_MS, Challenge
from bot.challenges.service import ChallengeService
from bot.challenges.tables import EXPIRED, OPEN
from bot.challenges.tables import challenges as rows
from bot.challenges.worker import ChallengeExpiry
from bot.core.translations import language
from bot.core.workers import FIRST_PAUSE
from bot.games.new_game import NewGame
from bot.games.stored import Place
from bot.sandbox.faults import RESET
from bot.sandbox.state import permissions
from engine.core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from fakes.clock import Clock

    from bot.sandbox.server import Server

pytestmark = pytest.mark.both_databases

ANN, BOB, EVE = 11, 22, 33
EN = language("en")


@pytest.mark.parametrize("status", [403, RESET])
async def test_a_challenge_that_cannot_be_posted_is_cancelled(room: Room, status: int) -> None:
    assert room.bot is not None
    room.server.world.faults.fail_next("POST /interactions", status=status)
    await room.ana.slash("abak challenge", opponent=room.ben, game="apb")
    assert told(room.ana) == room.say("challenge.not_posted")
    assert await room.bot.service(ChallengeService).open_of(room.ana.user_id) == 0
    await room.begin("apb")
    assert_shown_once(room, await room.shown())


# --- the reply of Discord is lost -------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [RESET, 502], ids=["reset", "tried again by discord.py"])
@pytest.mark.parametrize("slow", [False, True], ids=["at once", "after a deferral"])
async def test_a_challenge_whose_reply_is_lost_is_found_and_stays_open(
    room: Room, monkeypatch: pytest.MonkeyPatch, *, slow: bool, status: int
) -> None:
    faults = room.server.world.faults
    if slow:
        monkeypatch.setattr("bot.core.interactions.answer.PATIENCE", 0.0)
        monkeypatch.setattr("bot.challenges.views.notes_on", partial(slowly, views.notes_on))
    faults.fail_next("PATCH /webhooks" if slow else "/callback", status=status, lost=True)
    message = await room.challenge("apb")
    assert faults.failures == [], "it has met the request"
    assert len(wired(message)) > 1
    await room.ben.press("b:accept_challenge:", message)
    assert_shown_once(room, await room.shown())
    assert EN("challenge.not_posted") not in [text(one) for one in room.ana.messages]


async def test_nothing_is_looked_for_in_a_server_that_is_not_there_yet(room: Room) -> None:
    """Between READY and GUILD_CREATE nobody knows what the bot may do there."""
    assert room.bot is not None
    message = await room.challenge("apb")
    challenges, guild = room.bot.service(ChallengeService), room.bot.get_guild(room.server.world.guild_id)
    assert guild is not None
    async with room.bot.services.database.writing() as connection:
        await connection.execute(update(rows).values(message_id=None, created=rows.c.created - POSTING_MS))
    (lost,) = await challenges.unposted()
    room.bot._connection._remove_guild(guild)
    as_in_ready: Any = {"id": str(guild.id), "unavailable": True}
    room.bot._connection._add_guild_from_data(as_in_ready)
    worker = room.bot.service(ChallengeExpiry)
    await worker.run_once()
    assert (await challenges.get(lost.id)).attempts == 0
    room.bot._connection._add_guild(guild)
    await worker.run_once()
    assert (await challenges.get(lost.id)).message_id == int(message["id"])


async def slowly(work: Any, *given: Any) -> Any:
    await asyncio.sleep(0.1)
    return await work(*given)


class Later:
    """A room whose bot's clock can be put forward."""

    def __init__(self) -> None:
        self.room: Room
        self.ahead = 0

    @property
    def challenges(self) -> ChallengeService:
        assert self.room.bot is not None
        return self.room.bot.service(ChallengeService)

    async def turn(self) -> None:
        """Runs the next turn of the worker."""
        assert self.room.bot is not None
        await self.room.bot.service(ChallengeExpiry).turn()

    async def forgotten(self, game: str = "apb") -> dict[str, Any]:
        """Returns the message of a challenge whose process died after posting it and before noting it."""
        message = await self.room.challenge(game)
        async with self.challenges.store.database.writing() as connection:
            await connection.execute(update(rows).values(message_id=None))
        return message

    async def stored(self, message: dict[str, Any]) -> Challenge:
        (accept,) = [one for one in wired(message) if ":accept_challenge:" in one["custom_id"]]
        return await self.challenges.get(accept["custom_id"].split(":")[2])


@pytest.fixture
async def later(stand_in: Server, sqlite_url: str) -> AsyncIterator[Later]:
    async with _later(stand_in, sqlite_url) as later:
        yield later


@asynccontextmanager
async def _later(server: Server, url: str) -> AsyncIterator[Later]:
    later = Later()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ChallengeExpiry, "run_once", AsyncMock(return_value=600.0))  # only ``turn`` does anything
        async with bot_running(server, url, now=lambda: milliseconds() + later.ahead) as bot:
            later.room = Room.of(server, bot)
            yield later


async def test_a_challenge_of_a_form_whose_reply_is_lost_is_closed(later: Later) -> None:
    room = later.room
    await room.ana.slash("abak challenge")
    form = private(room.ana)
    room.server.world.faults.fail_next("POST /webhooks", status=RESET, lost=True)
    await room.ana.press("b:form_post:", form)
    assert room.bot is not None
    await told_all(room.bot)
    assert told(room.ana) == EN("challenge.not_posted")
    (message,) = [one for one in room.ben.messages if wired(one)]
    await later.turn()
    assert wired(room.ben.fresh(message)), "it may still be on its way"
    later.ahead = POSTING_MS
    await later.turn()
    assert wired(room.ben.fresh(message)) == []
    assert EN("challenge.cancelled", player=room.ana.mention) in text(room.ben.fresh(message))


# --- the process dies between posting and noting ----------------------------------------------------------------------


async def test_a_posted_challenge_that_was_not_noted_is_found(later: Later) -> None:
    other = await later.room.challenge("abalone")
    message = await later.forgotten()
    await later.turn()
    assert (await later.stored(message)).message_id is None, "it may still be noted"
    later.ahead = POSTING_MS
    await later.turn()
    found = [await later.stored(one) for one in (other, message)]
    assert [one.message_id for one in found] == [int(other["id"]), int(message["id"])]
    assert {one.status for one in found} == {OPEN}
    await later.room.ben.press("b:accept_challenge:", message)
    assert_shown_once(later.room, await later.room.shown())


async def test_a_machines_challenge_that_was_posted_and_not_begun_is_closed(
    later: Later, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies before it has noted the message."""
    room = later.room
    with monkeypatch.context() as dying:
        dying.setattr(ChallengeService, "posted", AsyncMock(side_effect=Refused("error.unknown")))
        await room.ana.slash("abak challenge", level=2, game="abalone")
        await room.told_all()
        assert told(room.ana) == EN("error.unknown")
    (message,) = (one for one in room.ana.messages if wired(one))
    await later.turn()
    assert wired(room.ana.fresh(message))
    later.ahead = POSTING_MS
    await later.turn()
    assert wired(room.ana.fresh(message)) == []
    assert EN("challenge.expired") in text(room.ana.fresh(message))


async def test_one_that_was_never_posted_expires_at_once(later: Later) -> None:
    message = await later.forgotten()
    challenge = await later.stored(message)
    later.room.server.world.messages.delete(int(message["id"]))
    later.ahead = POSTING_MS
    await later.turn()
    challenge = await later.challenges.get(challenge.id)
    assert (challenge.status, challenge.message_id) == (EXPIRED, None)
    assert await later.challenges.unposted() == []


async def test_one_that_cannot_be_looked_for_keeps_no_other_waiting(later: Later) -> None:
    message = await later.forgotten()
    shown = await later.room.challenge("abalone")
    await later.challenges.cancel((await later.stored(shown)).id, later.room.ana.user_id)
    later.room.server.world.faults.fail_next("GET /channels", status=RESET, times=10)
    later.ahead = POSTING_MS
    await later.turn()
    assert (await later.stored(message)).status == OPEN
    assert wired(later.room.ana.fresh(shown)) == []
    later.room.server.world.faults.clear()
    later.ahead += FIRST_PAUSE
    await later.turn()
    assert (await later.stored(message)).message_id == int(message["id"])


@pytest.mark.parametrize("verb", ["accept", "decline", "cancel"])
async def test_pressing_one_that_was_not_noted_notes_it(later: Later, verb: str) -> None:
    room, message = later.room, await later.forgotten()
    challenge = await later.stored(message)
    who = room.ana if verb == "cancel" else room.ben
    await who.press(f"b:{verb}_challenge:", message)
    assert (await later.challenges.get(challenge.id)).message_id == int(message["id"])
    assert not [one for one in wired(room.ana.fresh(message)) if "custom_id" in one]


async def test_where_the_bot_may_not_look_the_challenge_goes_on(later: Later) -> None:
    room, message = later.room, await later.forgotten()
    assert room.bot is not None
    channel = room.bot.get_channel(room.channel_id)
    assert isinstance(channel, discord.TextChannel)
    room.server.world.deny(room.channel_id, permissions.READ_MESSAGE_HISTORY)
    await until(lambda: not channel.permissions_for(channel.guild.me).read_message_history, "the bot knows it")
    later.ahead = POSTING_MS
    await later.turn()
    challenge = await later.stored(message)
    assert (challenge.status, challenge.message_id, challenge.attempts) == (OPEN, None, 1)
    await room.ben.press("b:accept_challenge:", message)
    assert_shown_once(room, await room.shown())
    assert (await later.challenges.get(challenge.id)).attempts == 0


async def test_a_process_that_does_not_know_the_server_gives_no_challenge_up(
    later: Later, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It knows neither the channel nor whether the bot may read it: another process has the server's shard."""
    room, message = later.room, await later.forgotten()
    room.server.world.deny(room.channel_id, permissions.READ_MESSAGE_HISTORY)
    later.ahead = POSTING_MS
    for name in ("get_guild", "get_channel"):
        monkeypatch.setattr(type(room.bot), name, lambda *_: None)
    await later.turn()
    monkeypatch.undo()
    challenge = await later.stored(message)
    assert (challenge.status, challenge.message_id, challenge.attempts) == (OPEN, None, 0)


@pytest.mark.parametrize("may", [True, False])
async def test_a_channel_that_is_not_known_is_read_as_its_server_allows(
    later: Later, monkeypatch: pytest.MonkeyPatch, *, may: bool
) -> None:
    """Such as an archived thread. The message is gone."""
    room, message = later.room, await later.forgotten()
    challenge = await later.stored(message)
    room.server.world.messages.delete(int(message["id"]))
    assert room.bot is not None
    monkeypatch.setattr(type(room.bot), "get_channel", lambda *_: None)
    monkeypatch.setattr(discord.Member, "guild_permissions", discord.Permissions(read_message_history=may))
    later.ahead = POSTING_MS
    await later.turn()
    assert (await later.challenges.get(challenge.id)).status == (EXPIRED if may else OPEN)


async def test_one_that_was_looked_for_in_vain_keeps_no_rematch_waiting(
    later: Later,
) -> None:
    """The bot may not look, so nobody knows whether its message is there."""
    room = later.room
    await room.begin("apb")
    await room.ana.slash("abak resign")
    await room.ana.press("b:resign_for:", private(room.ana))
    await room.shown()
    await room.ana.press("b:rematch:", room.board)
    assert room.bot is not None
    await told_all(room.bot)  # the id of its message is stored after its answer
    async with later.challenges.store.database.writing() as connection:
        await connection.execute(update(rows).where(rows.c.status == OPEN).values(message_id=None))
    room.server.world.deny(room.channel_id, permissions.READ_MESSAGE_HISTORY)
    await room.ben.press("b:rematch:", room.board)
    assert told(room.ben).startswith(EN("rematch.accept", channel="|").split("|", maxsplit=1)[0])
    later.ahead = POSTING_MS
    await later.turn()
    before = len(room.ben.messages)
    await room.ben.press("b:rematch:", room.board)
    message = room.ben.messages[before:][-1]
    await room.ana.press("b:accept_challenge:", message)
    assert not (await room.shown()).is_over


async def test_pressing_one_that_was_given_up_closes_its_message(later: Later) -> None:
    room, message = later.room, await later.forgotten()
    await later.challenges.give_up((await later.stored(message)).id)
    await room.ben.press("b:accept_challenge:", message)
    assert told(room.ben) == EN("challenge.expired")
    await later.turn()
    assert wired(room.ana.fresh(message)) == []


async def test_a_private_message_is_never_noted(later: Later) -> None:
    """A custom_id that was made up on a private message must not become the challenge's message."""
    room, message = later.room, await later.forgotten()
    challenge = await later.stored(message)
    carla = Seat.join(room.server.world, "Carla", room.channel_id)
    await carla.slash("abak help")
    own = room.server.world.messages.find(int(private(carla)["id"]))
    assert own is not None
    own["components"] = message["components"]
    await carla.press("b:accept_challenge:", own)
    assert told(carla) == EN("challenge.not_for_you")
    assert (await later.challenges.get(challenge.id)).message_id is None


async def test_a_form_whose_process_died_before_it_posted_is_posted_when_it_is_sent_again(
    challenges: ChallengeService,
) -> None:
    async def send(challenger: int = ANN) -> Challenge:
        return await challenges.post(challenger, BOB, NewGame("nim", {}, Place(1, 5), "en"), challenge_id="form")

    await send()
    with pytest.raises(Refused, match=r"challenge\.posted"):  # its message may be in the channel
        await send()
    await challenges.give_up("form")
    with pytest.raises(Refused, match=r"challenge\.posted"):
        await send(EVE)
    assert (await send()).status == OPEN
    made = await challenges.get("form")
    await challenges.attempt_failed(made)  # the bot could not look for it
    assert (await send()).status == OPEN
    await challenges.posted("form", 900)
    await challenges.give_up("form")
    with pytest.raises(Refused, match=r"challenge\.posted"):
        await send()


async def test_what_is_posted_late_is_closed_as_it_should_be(challenges: ChallengeService, clock: Clock) -> None:
    made = await challenges.post(ANN, BOB, NewGame("nim", {}, Place(1, 5), "en"))
    clock.pass_seconds(POSTING_MS / 1000)
    assert [one.id for one in await challenges.unposted()] == [made.id]
    await challenges.give_up(made.id)
    assert await challenges.unshown() == await challenges.unposted() == []
    await challenges.posted(made.id, 900)
    assert [one.id for one in await challenges.unshown()] == [made.id]
    await challenges.closing_shown(made.id)
    await challenges.posted(made.id, 901)
    assert await challenges.unshown() == []
    assert (await challenges.get(made.id)).message_id == 900
