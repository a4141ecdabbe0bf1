"""The commands of a tournament that runs, over the socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.bot import told
from harness.tournaments import Event, plan_of

from bot.tournaments.tournament import Status
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.server import Server


async def test_start_and_bye(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 4)
    ana = event.people[0]
    await event.create(plan_of(Format.SWISS, rounds=3, byes=1))
    await ana.slash("tournament start")
    assert told(ana) == "Only the organisers of this tournament can do that."
    await ana.slash("tournament bye", round=3)
    assert told(ana) == "There are no byes in the last round. There are 3 rounds."
    await ana.slash("tournament bye", round=1)
    assert told(ana) == "You get half a point in round 1 without a game."
    await event.organiser.slash("tournament start")
    assert told(event.organiser) == "**Cup** begins. The first round follows at once."
    results = {stored.pairing.first: stored.result for stored in await event.round(1)}
    assert results[1] is Result.HALF_BYE
    await event.shows("**Cup · Round 1**", "Ana has a bye: ½ point")
    await event.organiser.slash("tournament start")
    assert told(event.organiser) == "This tournament has started already."


async def test_challenges_of_a_ladder(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 5)
    ana, ben, _, _, eva = event.people
    await event.create(plan_of(Format.LADDER))
    await event.start()
    await event.status(Status.RUNNING)
    await eva.slash("tournament challenge", opponent=ana)
    assert told(eva) == "You can challenge at most 3 places up."
    await ben.slash("tournament challenge", opponent=ana)
    assert told(ben) == f"You have challenged {ana.mention}. Your game opens now."
    (stored,) = await event.opened(1)
    assert stored.pairing.players == (2, 1)
    await event.win(stored, 2)
    assert (await event.player(ben)).ladder_place == 1
