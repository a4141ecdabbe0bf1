"""The commands of a tournament that runs, over the socket."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from harness.bot import told
from harness.discord import Seat
from harness.tournaments import Event, plan_of

from bot.core.texts.quoting import escaped
from bot.core.translations import language
from bot.players.machines import machine_name
from bot.tournaments.tournament import Status
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.server import Server


EN = language("en")


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
    await ana.slash("tournament bye", round=1, withdraw=True)
    assert told(ana) == "You play in round 1."
    await ana.slash("tournament bye", round=1)
    await event.organiser.slash("tournament start")
    assert told(event.organiser) == "**Cup** starts. The first games come in a moment."
    results = {stored.pairing.first: stored.result for stored in await event.round(1)}
    assert results[1] is Result.HALF_BYE
    await event.shows("**Cup · Round 1**", "Ana has a bye: ½ point")
    await event.organiser.slash("tournament start")
    assert told(event.organiser) == "This tournament has started already."


async def test_challenges_of_a_ladder(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 5)
    ana, ben, _, _, eva = event.people
    await event.create(plan_of(Format.LADDER))
    await event.organiser.slash("tournament start")
    assert told(event.organiser) == "**Cup** starts. Games begin by `/tournament challenge`."
    await event.status(Status.RUNNING)
    await eva.slash("tournament challenge", opponent=ana)
    assert told(eva) == "You can challenge at most 3 places up."
    await ben.slash("tournament challenge", opponent=ana)
    assert told(ben) == f"You have challenged {ana.mention}. Your game opens now."
    (stored,) = await event.opened(1)
    assert stored.pairing.players == (2, 1)
    await event.win(stored, 2)
    assert (await event.player(ben)).ladder_place == 1


async def test_the_bot_is_challenged_in_a_ladder_as_its_machine(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 2)
    ana, _ = event.people
    await event.create(plan_of(Format.LADDER))
    await event.enter(2)
    await event.enter(4)
    await event.start()
    async with event.service.changing(event.tournament_id) as change:
        places = zip(change.snapshot.players, (4, 3, 1, 2), strict=True)
        await change.set_players(*(replace(player, ladder_place=place) for player, place in places))
    me = Seat(stand_in.world, stand_in.world.application_id, ana.channel_id)
    await ana.slash("tournament challenge", opponent=me)
    names = " and ".join(machine_name(level, EN) for level in (2, 4))
    assert told(ana) == EN("tournament.machine.which", names=names)
    await ana.slash("tournament challenge", opponent=me, level=4)
    assert told(ana) == EN("tournament.rounds.challenged", player=machine_name(4, EN))
    await ana.slash("tournament challenge", opponent=me, level=1)
    assert told(ana) == EN("tournament.machine.none")
    await ana.slash("tournament standings", why=me, level=2)
    assert escaped(machine_name(2, EN)) in told(ana)
