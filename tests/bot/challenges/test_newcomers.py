"""Tests the proposals to players who have finished few games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import SPANISH, Room, bot_running, private
from harness.discord import buttons, menus, text

from bot.challenges.service import ChallengeService
from bot.challenges.views import FEW

if TYPE_CHECKING:
    from bot.app import AbakBot
    from bot.sandbox.server import Server


async def stored(bot: AbakBot, message: dict[str, Any]) -> Any:
    (accept,) = [one for one in buttons(message).values() if ":accept_challenge:" in one["custom_id"]]
    return await bot.service(ChallengeService).get(accept["custom_id"].split(":")[2])


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_a_newcomer_is_proposed_a_single_casual_game(stand_in: Server, sqlite_url: str, locale: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot, locale=locale)
        await room.ana.slash("abak challenge", game="backgammon")
        form = private(room.ana)
        shown = [one["value"] for menu in menus(form)[:2] for one in menu["options"] if one.get("default")]
        assert shown == ["backgammon,standard", "s"]
        assert room.say("challenge_form.newcomer") in text(form).splitlines()
        stem = room.say("challenge.newcomer.casual")[:6]
        assert text(form).casefold().count(stem) == 1, "it is said once"
        assert room.say("challenge.casual") in text(form)
        await room.ana.press("b:form_rated:", form)  # one tap changes it
        form = room.ana.fresh(form)
        assert room.say("challenge.rated") in text(form)
        assert room.say("challenge_form.newcomer") not in text(form)
        sent = await room.ana.slash("abak challenge", game="backgammon", opponent=room.ben)
        assert sent.message is not None
        made = await stored(bot, sent.message)
        assert (made.points, made.options["cube"], made.rated) == (0, "off", False)
        for _ in range(FEW):
            await room.begin("abalone")
            await room.ben.slash("abak resign")
            await room.ben.press("b:resign_for:", private(room.ben))
            await room.shown()
        sent = await room.ana.slash("abak challenge", game="backgammon", opponent=room.ben)
        assert sent.message is not None
        made = await stored(bot, sent.message)
        assert (made.points, made.options["cube"], made.rated) == (3, "on", True)
