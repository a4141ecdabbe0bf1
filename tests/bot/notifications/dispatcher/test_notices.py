"""Notices of another room: by the same outbox, once, in the user's language, in quiet hours, and in digests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
import pytest
from fakes.clock import Clock
from harness.bot import Room, bot_running, told_all
from harness.delivery import HOUR, NOON, Delivery, nothing
from harness.discord import components, text, until
from harness.scene import FIRST, SECOND, told_lines

from bot.core.translations import language
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.notifications.model import DIRECT, NoticeKind, Notification
from bot.notifications.service import NotificationService

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from bot.core.client import AbakBot
    from bot.core.translations import Language
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

EN, ES = language("en"), language("es")
CUP = "cup1"
ROUND = "cup_round"
LINK = "https://discord.com/channels/1/2/3"


class Cup:
    """Stands for a room with tournaments: rounds that begin, and may be called off."""

    def __init__(self, bot: AbakBot, **given: Any) -> None:
        self.called_off: set[int] = set()
        self.service = bot.service(NotificationService)
        self.service.kinds[ROUND] = NoticeKind(self.text, self.is_current, buttons=self.buttons, **given)

    async def text(self, notification: Notification, say: Language) -> str:
        verb = "has begun" if say.code == "en" else "ha empezado"
        return f"Winter Cup: round {notification.seq} {verb}; {notification.body['opponent']}"

    async def is_current(self, notification: Notification) -> bool:
        return notification.seq not in self.called_off

    async def buttons(self, notification: Notification, say: Language) -> Sequence[discord.ui.Item[Any]]:
        del notification, say
        return [discord.ui.Button(label="Cup", url=LINK)]

    def notice(self, scene: Delivery, number: int = 3, user_id: int = 0, **given: Any) -> Notification:
        place = {"guild_id": scene.world.guild_id, "channel_id": scene.room.channel_id}
        wanted = {"seq": number, "locale": "es", "opponent": "you play Bruno", **place, **given}
        return self.service.notice(user_id or scene.room.ben.user_id, ROUND, CUP, **wanted)

    async def write(self, scene: Delivery, *numbers: int, **given: Any) -> None:
        async with self.service.store.database.writing() as connection:
            await self.service.write(connection, *(self.notice(scene, number, **given) for number in numbers))


def told(number: int) -> str:
    return f"Winter Cup: round {number} has begun; you play Bruno"


async def written(scene: Delivery) -> list[tuple[int, str, str]]:
    return sorted((row.seq, row.state, row.via) for row in await scene.outbox(ROUND))


async def test_a_notice_arrives_once_by_direct_message_in_the_users_language(scene: Delivery) -> None:
    cup, ben = Cup(scene.bot), scene.room.ben
    await scene.prefer(ben, language="en")
    await cup.write(scene, 3, 3)
    await cup.write(scene, 3)
    await scene.settle()
    (message,) = scene.sent_to(ben)
    assert text(message) == told(3)
    assert [x["url"] for x in components(message) if "url" in x] == [LINK]
    assert await written(scene) == [(3, "sent", "dm")]
    await cup.write(scene, 4)
    await scene.settle()
    assert [text(message) for message in scene.sent_to(ben)] == [told(3), told(4)]


async def test_a_notice_without_buttons_of_its_own_has_that_of_the_waiting_games(scene: Delivery) -> None:
    cup, ben = Cup(scene.bot), scene.room.ben
    cup.service.kinds[ROUND] = NoticeKind(cup.text)
    await scene.prefer(ben, language="en")
    await cup.write(scene, 3)
    await scene.settle()
    (message,) = scene.sent_to(ben)
    assert [item["label"] for item in components(message) if "label" in item] == [EN("button.waiting")]


async def test_the_same_of_another_subject_is_another_notice(scene: Delivery) -> None:
    cup, ben = Cup(scene.bot), scene.room.ben
    live = await scene.begin()
    place = {"guild_id": 1, "channel_id": 2, "locale": "en", "opponent": "you play Bruno"}
    async with cup.service.store.database.writing() as connection:
        for subject in ("cup1", "cup2", "cup1"):
            for game_id in (None, live.id):
                await cup.service.write(
                    connection, cup.service.notice(ben.user_id, ROUND, subject, game_id=game_id, **place)
                )
    assert [row.subject for row in await scene.outbox(ROUND)] in (["cup1", "cup2"], ["cup2", "cup1"])


async def test_with_direct_messages_closed_it_is_posted_in_its_channel(scene: Delivery) -> None:
    cup, ben = Cup(scene.bot), scene.room.ben
    scene.world.dms_closed.add(ben.user_id)
    await cup.write(scene, 3)
    await scene.settle()
    (message,) = scene.room.ana.messages
    assert text(message) == f"{ben.mention} Winter Cup: round 3 ha empezado; you play Bruno"
    assert [u["id"] for u in message["mentions"]] == [str(ben.user_id)]
    assert await written(scene) == [(3, "sent", "place")]


async def test_without_its_channel_the_servers_channel_is_left_and_then_the_next_answer(scene: Delivery) -> None:
    cup, ben = Cup(scene.bot), scene.room.ben
    scene.world.dms_closed.add(ben.user_id)
    notes = await scene.notification_channel()
    await cup.write(scene, 3, channel_id=None)
    await scene.settle()
    assert [text(message) for message in notes.messages] == [
        f"{ben.mention} Winter Cup: round 3 ha empezado; you play Bruno"
    ]
    Cup(scene.bot, routes=(DIRECT,))
    await cup.write(scene, 4)
    await scene.settle()
    assert await written(scene) == [(3, "sent", "server"), (4, "failed", "")]
    for _ in range(2):
        await ben.slash("abak help")
        await until(lambda: len(told_lines(ben, EN("notification.undelivered", markup=told(4)))) == 1, "it is told")
    await told_all(scene.bot)
    assert await written(scene) == [(3, "sent", "server"), (4, "sent", "answer")]


async def test_quiet_hours_hold_a_notice_back_unless_it_is_urgent(scene: Delivery) -> None:
    cup, ben = Cup(scene.bot), scene.room.ben
    await scene.prefer(ben, quiet="11:00-14:30", zone="UTC", language="en")
    await cup.write(scene, 3, due=scene.time.at + HOUR)
    await scene.pass_time(2 * HOUR)
    assert scene.sent_to(ben) == []
    await scene.pass_time(HOUR // 2)
    assert [text(message) for message in scene.sent_to(ben)] == [told(3)]
    scene.time.at += 21 * HOUR
    await cup.write(scene, 4, urgent=True)
    await scene.settle()
    assert [text(message) for message in scene.sent_to(ben)] == [told(3), told(4)]


async def test_a_digest_holds_the_waiting_games_and_the_notices_since_the_last_one(scene: Delivery) -> None:
    cup, ben = Cup(scene.bot), scene.room.ben
    await scene.prefer(ben, pings="digest", digest_hour="18", zone="UTC", language="en")
    live = await scene.begin()
    await scene.move(live, FIRST)
    await cup.write(scene, 3, 4)
    await scene.settle()
    assert scene.sent_to(ben) == []
    assert [state for _, state, _ in await written(scene)] == ["digest", "digest"]
    await scene.pass_time(6 * HOUR)
    (message,) = scene.sent_to(ben)
    news, first, second, heading, game = text(message).splitlines()
    assert [news, heading] == [EN("notification.digest_news"), EN("notification.digest", n=1)]
    assert {first, second} == {f"• {told(3)}", f"• {told(4)}"}
    assert "APB" in game
    assert [(state, via) for _, state, via in await written(scene)] == [("sent", "digest")] * 2
    await scene.pass_time(24 * HOUR)
    assert text(scene.sent_to(ben)[1]).splitlines()[0] == EN("notification.digest", n=1)
    await scene.move(await scene.room.present(), SECOND)
    await cup.write(scene, 5)
    await scene.pass_time(24 * HOUR)
    assert text(scene.sent_to(ben)[2]).splitlines() == [EN("notification.digest_news"), f"• {told(5)}"]
    await scene.pass_time(72 * HOUR)
    assert len(scene.sent_to(ben)) == 3


@pytest.mark.parametrize("urgent", [False, True])
async def test_a_notice_that_may_not_wait_for_a_digest_comes_at_once(scene: Delivery, *, urgent: bool) -> None:
    cup, ben = Cup(scene.bot, in_digest=urgent), scene.room.ben
    await scene.prefer(ben, pings="digest", digest_hour="18", zone="UTC")
    await cup.write(scene, 3, urgent=urgent)
    await scene.settle()
    assert len(scene.sent_to(ben)) == 1


async def test_whoever_wants_no_digest_any_more_gets_what_was_kept_for_it(scene: Delivery) -> None:
    cup, ben = Cup(scene.bot), scene.room.ben
    await scene.prefer(ben, pings="digest", digest_hour="18", zone="UTC", language="en")
    await cup.write(scene, 3)
    await scene.settle()
    assert scene.sent_to(ben) == []
    await scene.prefer(ben, pings="turn")
    await scene.settle()
    assert [text(message) for message in scene.sent_to(ben)] == [told(3)]
    await scene.pass_time(48 * HOUR)
    assert len(scene.sent_to(ben)) == 1


async def test_notices_that_do_not_fit_into_a_digest_wait_for_the_next_one(scene: Delivery) -> None:
    cup, ben = Cup(scene.bot), scene.room.ben
    await scene.prefer(ben, pings="digest", digest_hour="18", zone="UTC", language="en")
    await cup.write(scene, *range(1, 6), opponent="x" * 300)
    await scene.settle()
    await scene.pass_time(6 * HOUR)
    assert [state for _, state, _ in await written(scene)].count("sent") == 3
    await scene.pass_time(24 * HOUR)
    assert [state for _, state, _ in await written(scene)] == ["sent"] * 5
    assert [text(message).count("•") for message in scene.sent_to(ben)] == [3, 2]


async def test_notices_of_a_digest_that_cannot_be_sent_are_told_beside_the_next_answer(scene: Delivery) -> None:
    cup, ben = Cup(scene.bot), scene.room.ben
    await scene.prefer(ben, pings="digest", digest_hour="18", zone="UTC", language="en")
    scene.world.dms_closed.add(ben.user_id)
    await cup.write(scene, 3)
    await scene.settle()
    await scene.pass_time(6 * HOUR)
    assert await written(scene) == [(3, "failed", "")]
    await ben.slash("abak help")
    await until(lambda: len(told_lines(ben, EN("notification.undelivered", markup=told(3)))) == 1, "it is told")
    await told_all(scene.bot)
    assert await written(scene) == [(3, "sent", "answer")]
    scene.world.dms_closed.clear()
    await scene.pass_time(48 * HOUR)
    assert scene.sent_to(ben) == []


async def test_a_voided_notice_is_not_sent_wherever_it_waits(scene: Delivery) -> None:
    cup, ana, ben = Cup(scene.bot), scene.room.ana, scene.room.ben
    database = cup.service.store.database
    await scene.prefer(ben, pings="digest", digest_hour="18", zone="UTC", language="en")
    await cup.write(scene, 3)
    await cup.write(scene, 4)
    await scene.settle()
    await cup.write(scene, 3, user_id=ana.user_id, due=scene.time.at + HOUR)
    async with database.writing() as connection:
        await cup.service.void_subject(connection, "cup2", [ROUND])
        await cup.service.void_subject(connection, CUP, ["other"])
        await cup.service.void_subject(connection, CUP, [ROUND], ben.user_id)
    assert sorted(state for _, state, _ in await written(scene)) == ["pending", "void", "void"]
    async with database.writing() as connection:
        await cup.service.void_subject(connection, CUP, [ROUND])
    await scene.pass_time(48 * HOUR)
    assert scene.sent_to(ana) == scene.sent_to(ben) == []


async def test_what_has_lost_its_reason_is_neither_sent_nor_told(scene: Delivery) -> None:
    cup, ana, ben = Cup(scene.bot), scene.room.ana, scene.room.ben
    await scene.prefer(ben, pings="digest", digest_hour="18", zone="UTC", language="en")
    await cup.write(scene, 3, 4)
    await cup.write(scene, 3, user_id=ana.user_id, due=scene.time.at + HOUR)
    await scene.settle()
    cup.called_off = {3}
    await scene.pass_time(24 * HOUR)
    assert scene.sent_to(ana) == []
    assert [text(message).splitlines()[1:] for message in scene.sent_to(ben)] == [[f"• {told(4)}"]]
    assert sorted(state for _, state, _ in await written(scene)) == ["sent", "void", "void"]


@pytest.mark.parametrize("pings", ["turn", "digest"])
async def test_after_a_restart_between_lease_and_record_nothing_comes_twice(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, pings: str
) -> None:
    """Also if further notices were written meanwhile: those come with the next digest."""
    time = Clock(NOON)
    stand_in.world.ids.now = time
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        scene = Delivery(Room.of(stand_in, bot), time)
        cup = Cup(bot)
        await scene.prefer(scene.room.ben, pings=pings, digest_hour="18", zone="UTC", language="en")
        await cup.write(scene, 3)
        await scene.settle()
        if pings == "digest":
            monkeypatch.setattr(
                bot.service(NotificationService).outbox, "sent", nothing
            )  # it dies before it records that
            await scene.pass_time(6 * HOUR)
        else:
            monkeypatch.setattr(bot.service(NotificationService).outbox, "sent", nothing)
            await cup.write(scene, 4)
            await scene.settle()
        monkeypatch.undo()
    sent = len(scene.sent_to(scene.room.ben))
    stand_in.world.messages.nonces.clear()
    async with bot_running(stand_in, sqlite_url, now=time) as scene.room.bot:
        cup = Cup(scene.room.bot)
        if pings == "digest":
            await cup.write(scene, 4)
        await scene.pass_time(HOUR)
        assert len(scene.sent_to(scene.room.ben)) == sent
        assert [state for _, state, _ in await written(scene)] == ["sent", "digest" if pings == "digest" else "sent"]
        await scene.pass_time(23 * HOUR)
    texts = "\n".join(text(message) for message in scene.sent_to(scene.room.ben))
    assert [texts.count(told(number)) for number in (3, 4)] == [1, 1]


async def test_a_kind_that_nobody_has_added_waits_for_who_knows_it(scene: Delivery) -> None:
    cup = Cup(scene.bot)
    del cup.service.kinds[ROUND]
    await cup.write(scene, 3)
    await scene.settle()
    assert await written(scene) == [(3, "pending", "")]
    Cup(scene.bot)
    await scene.pass_time(HOUR)
    assert await written(scene) == [(3, "sent", "dm")]


@pytest.mark.parametrize("quiet", ["", "11:00-14:30"])
async def test_the_board_of_a_game_that_is_told_otherwise_pings_nobody(scene: Delivery, quiet: str) -> None:
    cup, ana, ben = Cup(scene.bot), scene.room.ana, scene.room.ben
    await scene.prefer(ana, quiet=quiet, zone="UTC", language="en")
    place = Place(scene.world.guild_id, scene.room.channel_id)

    async def also(connection: AsyncConnection, live: LiveGame) -> None:
        await cup.service.mark_pinged(connection, live)
        await cup.service.write(connection, cup.notice(scene, 3, live.players[0], game_id=live.id, urgent=True))

    games = scene.bot.service(GameService)
    await games.open(NewGame("apb", {}, place, "en"), (ana.user_id, ben.user_id), also=also)
    live = await scene.room.shown()
    await scene.settle()
    assert [text(message) for message in scene.sent_to(ana)] == [told(3)]
    assert [m for m in ana.pings if m["channel_id"] == str(scene.room.channel_id)] == []
    await scene.pass_time(24 * HOUR)
    assert len(scene.sent_to(ana)) == 1
    await scene.move(live, FIRST)
    assert scene.pings_of(ben) == 1  # from then on boards ping as always
