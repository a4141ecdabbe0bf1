"""Tests a running tournament's texts: the announcement, and ``/tournament show`` for each kind of reader."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from harness.bot import SPANISH, private, verbs
from harness.discord import Seat, text
from harness.tournaments import Event, plan_of

from bot.core.translations import language_for_locale
from bot.tournaments.registration.templates import TEMPLATES
from engine.tournament.model import Format

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.server import Server

RESULTS = ["tournament_standings", "tournament_pairings"]


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_the_announcement_follows_the_round(stand_in: Server, bot: AbakBot, locale: str) -> None:
    say = language_for_locale(locale)
    event = Event.of(stand_in, bot, 4, locale=locale)
    plan = replace(plan_of(Format.SWISS, rounds=3), late_entries=2)
    await event.create(plan, locale=say.code)
    await event.start()
    one, _ = await event.round(1)
    await event.shows("## Cup", say("tournament.results.live", round=1, done=0, n=2))
    await event.win(one, one.pairing.first)
    await event.shows("## Cup", say("tournament.results.live", round=1, done=1, n=2))
    (message,) = [found for found in event.people[0].messages if text(found).startswith("## Cup")]
    assert verbs(message) == ["tournament_join", *RESULTS, "tournament_leave", "tournament_players"]
    ana = event.people[0]
    for verb in RESULTS:
        await ana.press(say(f"button.{verb}"), message)
        assert "Cup" in text(private(ana))

    inside = [*RESULTS, "tournament_leave", "tournament_players"]
    await ana.slash("tournament show")
    assert verbs(private(ana)) == inside
    eve = Seat.join(stand_in.world, "Eve", ana.channel_id, locale=locale)
    await eve.slash("tournament show")
    assert verbs(private(eve)) == ["tournament_join", *RESULTS, "tournament_players"]
    olga = event.organiser
    await olga.slash("tournament show")
    assert verbs(private(olga))[-2:] == ["tournament_organise", "tournament_repost"]


async def test_a_knockout_shows_its_bracket(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 4)
    await event.create(plan_of(Format.SINGLE_ELIMINATION))
    await event.start()
    await event.round(1)
    ana = event.people[0]
    await ana.slash("tournament show")
    shown = private(ana)
    assert verbs(shown) == [*RESULTS, "tournament_bracket", "tournament_leave", "tournament_players"]
    await ana.press("Bracket", shown)
    assert len(private(ana)["attachments"]) == 1
    event.decide = lambda stored: stored.pairing.first
    await event.play_to_the_end()
    await ana.slash("tournament show")
    assert verbs(private(ana)) == [*RESULTS, "tournament_bracket", "tournament_players"]


@pytest.mark.parametrize(("key", "said"), [("arena", "0 games finished, 1 game goes on"), ("ladder", "0 games played")])
async def test_without_rounds_it_counts_games(stand_in: Server, bot: AbakBot, key: str, said: str) -> None:
    event = Event.of(stand_in, bot, 2)
    await event.create(replace(TEMPLATES[key], game="abalone", terms=plan_of(Format.SWISS).terms, options={}))
    await event.start()
    await event.shows("## Cup", f"▶️ {said}")
