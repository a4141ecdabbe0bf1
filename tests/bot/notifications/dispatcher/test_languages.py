"""Notifications are written in the language of whoever reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fakes.clock import Clock
from harness.bot import SPANISH, Room, bot_running, private
from harness.delivery import NOON, Delivery
from harness.discord import is_ephemeral, text, until
from harness.scene import FIRST, told_lines

from bot.core.translations import Language, language
from bot.players.service import PreferenceService

if TYPE_CHECKING:
    from bot.sandbox.server import Server

EN, ES = language("en"), language("es")


@pytest.mark.parametrize(("chosen", "say"), [("auto", ES), ("en", EN)])
async def test_a_direct_message_speaks_as_the_users_discord_did_last(
    scene: Delivery, chosen: str, say: Language
) -> None:
    """The game is in an English channel; Ben's Discord is Spanish, as his last command has shown."""
    live = await scene.begin()
    ben = scene.room.ben
    await scene.prefer(ben, language=chosen)
    for locale in ("en-US", SPANISH):
        scene.world.users[ben.user_id]["locale"] = locale
        await ben.slash("abak games")
    assert (await scene.bot.service(PreferenceService).of_user(ben.user_id))["client_language"] == "es"
    scene.shut()
    await scene.move(live, FIRST)
    (message,) = scene.sent_to(ben)
    assert text(message).startswith(say("notification.turn", game="APB", opponent="|", link="").split("|")[0])


async def test_what_a_discord_speaks_is_written_only_when_it_changes(
    scene: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, written = scene.bot.service(PreferenceService).store, []
    choose = store.choose

    async def noted(scope: str, of: int, key: str, value: str) -> None:
        written.append((of, key, value))
        await choose(scope, of, key, value)

    monkeypatch.setattr(store, "choose", noted)
    ana = scene.room.ana
    for locale in ("en-US", "en-GB", SPANISH, "es-419"):
        scene.world.users[ana.user_id]["locale"] = locale
        await ana.slash("abak games")
        await ana.slash("abak help")
    assert written == [(ana.user_id, "client_language", "en"), (ana.user_id, "client_language", "es")]


async def test_spaniards_read_spanish(stand_in: Server, sqlite_url: str) -> None:
    time = Clock(NOON)
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        scene = Delivery(Room.of(stand_in, bot, locale=SPANISH), time)
        await scene.room.begin("apb")
        scene.world.dms_closed.add(scene.room.ben.user_id)
        scene.shut()
        await scene.room.ana.slash("abak move play", notation=FIRST)
        await scene.settle()
        await scene.room.ben.slash("abak help")
        start = ES("notification.undelivered", markup="")
        await until(lambda: len(told_lines(scene.room.ben, start)) == 1, "it is told")
        assert is_ephemeral(private(scene.room.ben))
