"""A whole round robin whose games all begin at once, over the socket: set up, announced, played, exported."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from fakes.clock import Clock
from harness.bot import SPANISH, bot_running, private
from harness.discord import text, until
from harness.hours import pass_unnoticed
from harness.tournaments import Event, plan_of

from bot.core.translations import language_for_locale
from bot.tournaments.rounds.grouped_notices import OPENING
from bot.tournaments.tournament import PairingState
from engine.core.hours import DAY
from engine.tournament.model import Format

if TYPE_CHECKING:
    from bot.sandbox.server import Server

ROUND = "**Cup · Round 1**"
PLAN = plan_of(Format.ROUND_ROBIN, at_once=True, clock="3d/move", round_length=60 * DAY, capacity=12)


async def test_four_play_six_games_side_by_side(stand_in: Server, sqlite_url: str) -> None:
    time = Clock()
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        event = Event.of(stand_in, bot, 4)
        ana, ben, *_ = event.people
        await event.create(PLAN)
        await event.start()
        games = await event.round(1)
        assert len(games) == 6
        names = {name.rpartition(" · ")[2] for name in event.threads()}
        assert names == {f"1.{board}" for board in range(1, 7)}
        shown = await event.shows(ROUND, "0 of 6 games finished.")
        assert "All games began at once." in shown
        assert not [ping for seat in event.people for ping in seat.pings]  # nobody hears of each game

        await pass_unnoticed(bot, time, OPENING / 1000 + 1)
        event.look()
        await until(lambda: ana.direct().messages, "she hears of all her games")
        told = [text(one) for one in ana.direct().messages]
        assert len(told) == 1
        assert "all your 3 games have begun" in told[0]
        assert told[0].count("<#") == 3

        live = await event.game(games[5])
        await event.games.play(live.id, live.to_act or 0, None, [live.game.legal(live.state)[0]])
        for stored in (games[4], games[0]):
            await event.win(stored, stored.pairing.first)
        await pass_unnoticed(bot, time, 60)
        event.look()
        assert (await event.shows(ROUND, "2 of 6 games finished.")).count("<#") == 6

        await ana.slash("tournament pairings")
        page = text(private(ana))
        assert page.index("**Your games**") < page.index("Ana")
        assert sum(line.partition(". ")[0].rstrip("\\").isdigit() for line in page.splitlines()) == 6
        await ben.slash("tournament standings", why=ana)
        assert "round 1" in text(private(ben))

        snapshot = await event.play_to_the_end()
        assert snapshot.tournament.round == 1
        await event.shows("🏆 **Cup is over**")
        await ana.slash("tournament export", format="trf")
        assert private(ana)["attachments"][0]["filename"] == "cup.trf"


async def test_a_restart_in_the_middle_opens_each_game_once(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        event = Event.of(stand_in, bot, 6)
        await event.create(PLAN)
        await event.start()

        async def some() -> bool:
            return bool(await event.running())

        await until(some, "some games are opened")
    async with bot_running(stand_in, sqlite_url) as bot:
        event = replace(event, services=bot.services, bot=bot)
        event.look()
        games = await event.round(1)
        assert {one.state for one in games} == {PairingState.RUNNING}
        assert len(event.threads()) == len({one.channel_id for one in games}) == 15
        await event.win(games[7], games[7].pairing.first)
        await event.shows(ROUND, "1 of 15 games finished.")


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_the_round_says_that_all_games_began_at_once(stand_in: Server, sqlite_url: str, locale: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        say = language_for_locale(locale)
        event = Event.of(stand_in, bot, 3, locale=locale)
        await event.create(PLAN, locale=say.code)
        await event.start()
        await event.round(1)
        await event.shows(
            f"**Cup · {say('tournament.results.column.round', round=1)}**", say("tournament.rounds.at_once")
        )
        await event.shows("## Cup", say("tournament.rules.at_once"))
