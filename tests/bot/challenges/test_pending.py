"""Open challenges in the list of games, and the notices about one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import Clock
from harness.bot import SPANISH, Room, bot_running, told
from harness.delivery import NOON, Delivery
from harness.discord import Seat, text, until
from harness.scene import told_lines
from sqlalchemy import update

from bot.challenges.pending import LISTED
from bot.challenges.service import Challenge, ChallengeService
from bot.challenges.tables import challenges
from engine.core.hours import DAY, HOUR

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server


@pytest.fixture
async def scene(stand_in: Server, sqlite_url: str) -> AsyncIterator[Delivery]:
    time = Clock(NOON)
    stand_in.world.ids.now = time
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        yield Delivery(Room.of(stand_in, bot), time)


async def posted(challenges: ChallengeService, who: Seat, count: int = 1) -> list[Challenge]:
    """Stores so many open challenges of somebody, with the messages that show them."""

    async def all_stored() -> bool:
        return len(await challenges.pending_of(who.user_id)) == count

    await until(all_stored, "it is stored which messages show them")
    return await challenges.pending_of(who.user_id)


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_open_challenges_stand_below_the_games_of_both(room: Room, locale: str) -> None:
    room.speak(locale)
    say, bot = room.say, room.bot
    assert bot is not None
    message = await room.challenge("apb")
    challenges = bot.service(ChallengeService)
    (challenge,) = await posted(challenges, room.ana)
    expires = say("pending.expires", relative=f"<t:{challenge.expires // 1000}:R>")
    link = f"[APB](https://discord.com/channels/{room.server.world.guild_id}/{room.channel_id}/{message['id']})"
    for who, key, other in ((room.ana, "pending.yours", room.ben), (room.ben, "pending.to_you", room.ana)):
        await who.slash("abak games")
        lines = told(who).splitlines()
        assert lines == [
            say("games.none"),
            say("pending.some", n=1),
            f"{say(key, player=other.mention)} · {link} · {expires}",
        ]
    carla = Seat.join(room.server.world, "Carla", room.channel_id)
    await carla.slash("abak games")
    assert told(carla).splitlines()[1:] == []
    await room.ben.press("b:decline_challenge:", message)
    await room.ben.slash("abak games")
    assert told(room.ben) == say("games.none")


async def test_of_many_challenges_the_first_to_expire_are_listed(room: Room) -> None:
    for _ in range(LISTED + 2):
        await room.ana.slash("abak challenge", game="abalone", rated=True)
    assert room.bot is not None
    await posted(room.bot.service(ChallengeService), room.ana, LISTED + 2)
    await room.ana.slash("abak games")
    *_, before, last = told(room.ana).splitlines()
    assert before.startswith(room.say("pending.open"))
    assert last == room.say("pending.more", n=2)


async def test_who_is_challenged_is_reminded_once_before_it_expires(scene: Delivery) -> None:
    say, ana, ben = scene.room.say, scene.room.ana, scene.room.ben
    await scene.room.challenge("apb")
    await scene.pass_time(DAY - 6 * HOUR - 1000)
    assert scene.sent_to(ben) == []
    await scene.pass_time(2000)
    (message,) = scene.sent_to(ben)
    when = f"<t:{(NOON + DAY) // 1000}:R>"
    assert text(message).startswith(say("pending.reminder", player=ana.mention, game="APB", when=when, link=""))
    await scene.pass_time(5 * HOUR)
    await scene.pass_time(3 * HOUR)
    assert (len(scene.sent_to(ben)), scene.sent_to(ana)) == (1, [])
    assert told_lines(ben, "APB") == []


def pinged(message: dict[str, Any]) -> list[str]:
    return [user["id"] for user in message["mentions"]]


async def test_a_challenge_in_quiet_hours_is_told_when_they_end(scene: Delivery) -> None:
    say, ana, ben = scene.room.say, scene.room.ana, scene.room.ben
    await scene.prefer(ben, quiet="11:00-14:30", zone="UTC")
    message = await scene.room.challenge("apb", time="3d/move")
    assert (pinged(message), ben.pings) == ([], [])
    assert f"<@{ben.user_id}>" in text(message)
    await scene.pass_time(2 * HOUR)
    assert scene.sent_to(ben) == []
    await scene.pass_time(HOUR // 2)
    (told_later,) = scene.sent_to(ben)
    when = f"<t:{(NOON + DAY) // 1000}:R>"
    assert text(told_later).startswith(say("pending.challenged", player=ana.mention, game="APB", when=when, link=""))
    await scene.pass_time(HOUR)
    assert len(scene.sent_to(ben)) == 1


async def test_a_challenge_is_in_the_digest_of_who_wants_one(scene: Delivery) -> None:
    ben = scene.room.ben
    await scene.prefer(ben, pings="digest", digest_hour="18", zone="UTC")
    await scene.room.challenge("apb")
    await scene.pass_time(5 * HOUR)
    assert (ben.pings, scene.sent_to(ben)) == ([], [])
    await scene.pass_time(HOUR)
    (digest,) = scene.sent_to(ben)
    assert "challenges you: APB" in text(digest)


@pytest.mark.parametrize(
    ("time", "prefers"), [("10m", {"quiet": "11:00-14:30"}), ("3d/move", {"quiet": "13:00-14:00"})]
)
async def test_a_challenge_to_a_live_game_or_outside_quiet_hours_pings_at_once(
    scene: Delivery, time: str, prefers: dict[str, str]
) -> None:
    ben = scene.room.ben
    await scene.prefer(ben, zone="UTC", **prefers)
    message = await scene.room.challenge("apb", time=time)
    assert pinged(message) == [str(ben.user_id)]
    await scene.pass_time(HOUR)
    assert scene.sent_to(ben) == []


async def test_an_answered_challenge_is_not_told_later(scene: Delivery) -> None:
    ben = scene.room.ben
    await scene.prefer(ben, quiet="11:00-14:30", zone="UTC")
    await ben.press("b:decline_challenge:", await scene.room.challenge("apb"))
    await scene.pass_time(3 * HOUR)
    assert scene.sent_to(ben) == []
    assert await scene.states("challenged") == ["void"]


async def test_an_open_challenge_reminds_who_made_it(scene: Delivery) -> None:
    await scene.room.challenge("apb", opponent=None)
    await scene.pass_time(DAY - 5 * HOUR)
    assert scene.sent_to(scene.room.ben) == []
    assert len(scene.sent_to(scene.room.ana)) == 1


@pytest.mark.parametrize("why", ["declined", "unwanted", "not posted"])
async def test_there_is_no_reminder_without_a_reason(scene: Delivery, why: str) -> None:
    message = await scene.room.challenge("apb")
    if why == "declined":
        await scene.room.ben.press("b:decline_challenge:", message)
    elif why == "not posted":  # its process died in between
        assert scene.room.bot is not None
        async with scene.room.bot.services.database.writing() as connection:
            await connection.execute(update(challenges).values(message_id=None))
    else:
        await scene.prefer(scene.room.ben, reminders="none")
    await scene.pass_time(DAY - 5 * HOUR)
    assert scene.sent_to(scene.room.ben) == []
    assert await scene.states("challenge_expires") == ["void"]
