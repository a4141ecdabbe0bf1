"""Nobody is pinged again and again, in the bot as a host runs it: challenges and offers over the socket."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from harness.bot import SPANISH, Room, bot_running, private, told, told_all
from harness.discord import is_ephemeral, text
from harness.scene import FIRST

from bot.core.limits.rates import OFFERS_IN_GAME, OFFERS_OF_PAIR, OPEN_OF_PAIR, PRESSES, Quota

if TYPE_CHECKING:
    from bot.sandbox.server import Server

AT_ONCE = 60


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_sixty_challenges_at_once_are_few_pings(stand_in: Server, sqlite_url: str, locale: str) -> None:
    async with bot_running(stand_in, sqlite_url, rate_limits=True) as bot:
        room = Room.of(stand_in, bot, locale=locale)
        await asyncio.gather(*(room.ana.slash("abak challenge", opponent=room.ben, game="apb") for _ in range(AT_ONCE)))
        await told_all(bot)
        refusals = [text(message) for message in room.ana.messages if is_ephemeral(message)]
        assert AT_ONCE - len(refusals) == OPEN_OF_PAIR
        assert len(room.ben.pings) <= OPEN_OF_PAIR  # one that took long comes as an edit, which pings nobody
        too_many = room.say("challenge.quota.open", n=OPEN_OF_PAIR)
        too_fast = {room.say("error.too_fast", n=seconds) for seconds in range(1, AT_ONCE)}
        assert set(refusals) <= {too_many, *too_fast}
        assert refusals.count(too_many) >= PRESSES.burst - OPEN_OF_PAIR


async def ask(room: Room, command: str, verb: str) -> str:
    """Returns what Ana reads after she has made an offer and confirmed it."""
    assert room.bot is not None
    await room.ana.slash(command)
    await room.ana.press(f"b:{verb}:", private(room.ana))
    await told_all(room.bot)
    return told(room.ana)


@pytest.mark.parametrize("limited", [True, False])
@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_offers_are_limited_in_a_game_and_over_all_games(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, locale: str, *, limited: bool
) -> None:
    monkeypatch.setattr("bot.games.actions.OFFERS_IN_GAME", Quota(1, OFFERS_IN_GAME.period))
    monkeypatch.setattr("bot.games.running.offer_quotas.OFFERS_OF_PAIR", Quota(1, OFFERS_OF_PAIR.period))
    async with bot_running(stand_in, sqlite_url, rate_limits=limited) as bot:
        room = Room.of(stand_in, bot, locale=locale)
        await room.type(await room.begin("apb"), FIRST)
        await room.shown()
        other = room.elsewhere(stand_in.world.add_channel("other"))
        await other.begin("apb")
        pinged = len(room.ben.pings)
        assert (await ask(room, "abak draw", "draw")).startswith(room.say("draw.offered"))
        await room.shown()
        await room.ben.press("b:decline:", room.board)
        await room.shown()
        in_game = await ask(room, "abak takeback", "ask_back")
        in_other = await ask(other, "abak draw", "draw")
        await room.shown()
        await other.shown()
        assert (in_game == room.say("table.too_many_offers", n=10)) == limited
        assert (in_other == room.say("table.quota.pair", n=10)) == limited
        assert len(room.ben.pings) - pinged == (1 if limited else 3)
