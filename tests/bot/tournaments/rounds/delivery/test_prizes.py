"""The end of a tournament: the podium, and the roles of the winners."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.discord import alt, text, until
from harness.tournaments import Event, plan_of

from bot.core.translations import language
from bot.sandbox.state import objects, permissions
from bot.tournaments.organising.service import By, OrganiserService
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.server import Server


@pytest.mark.parametrize("may", [True, False])
async def test_winners_get_their_roles(stand_in: Server, bot: AbakBot, *, may: bool) -> None:
    world = stand_in.world
    guild = world.guilds[world.guild_id]
    role_id = world.ids()
    guild["roles"].append(objects.role(role_id, "Champion", 0))
    own = next(role for role in guild["roles"] if "tags" in role)
    own |= {"position": 2, "permissions": str(permissions.BOT | (permissions.MANAGE_ROLES if may else 0))}
    event = Event.of(stand_in, bot, 2)
    await event.create(plan_of(Format.SINGLE_ELIMINATION, prizes=((1, role_id),)))
    await event.start()
    event.decide = lambda _: 1
    await event.play_to_the_end()
    told = await event.shows("🏆 **Cup is over**")
    ana, ben = event.people
    assert f"1. {ana.mention}" in told
    line = f"{ana.mention} has won the role <@&{role_id}>."
    assert told.splitlines()[-1] == line + ("" if may else " I may not give it: an organiser does.")
    roles = {seat.user_id: world.members[world.guild_id][seat.user_id]["roles"] for seat in (ana, ben)}
    assert (str(role_id) in roles[ana.user_id]) is may
    assert str(role_id) not in roles[ben.user_id]
    (podium,) = [one for one in ana.messages if text(one).startswith("🏆")]
    assert "Ana" in alt(podium)[0]
    assert ana.pings == [one for one in ana.pings if "you play" in text(one)]


@pytest.mark.parametrize("locale", ["en", "es"])
async def test_a_correction_after_the_end_edits_the_podium(stand_in: Server, bot: AbakBot, locale: str) -> None:
    """Text and picture; the prize stays, and is said to. An undone correction edits it back."""
    world, say = stand_in.world, language(locale)
    role_id = world.ids()
    world.guilds[world.guild_id]["roles"].append(objects.role(role_id, "Champion", 0))
    event = Event.of(stand_in, bot, 2)
    await event.create(plan_of(Format.ROUND_ROBIN, prizes=((1, role_id),)), locale=locale)
    await event.start()
    event.decide = lambda _: 1
    await event.play_to_the_end()
    title = say("tournament.rounds.finished", name="Cup")
    before = await event.shows(title)
    ana, ben = event.people
    assert before.index(ana.mention) < before.index(ben.mention)
    (posted,) = [one for one in ana.messages if text(one).startswith(title)]
    assert alt(posted)[0].index("Ana") < alt(posted)[0].index("Ben")
    picture = posted["attachments"][0]["id"]

    organisers = bot.service(OrganiserService)
    snapshot = await event.snapshot()
    (stored,) = snapshot.pairings
    wins = Result.SECOND_WINS if stored.pairing.first == 1 else Result.FIRST_WINS

    async def by() -> By:
        return By(event.organiser.user_id, "The board was upside down.", await organisers.last_seq(event.tournament_id))

    await organisers.correct(event.tournament_id, await by(), stored.id, wins)
    line = say("tournament.rounds.corrected_prizes")
    after = await event.shows(title, line)
    assert after.index(ben.mention) < after.index(ana.mention)
    (edited,) = [one for one in ana.messages if text(one).startswith(title)]
    assert edited["id"] == posted["id"]
    assert [one["id"] for one in edited["attachments"]] != [picture]
    assert alt(edited)[0].index("Ben") < alt(edited)[0].index("Ana")
    assert edited["mentions"] == []
    assert str(role_id) not in world.members[world.guild_id][ben.user_id]["roles"]

    await organisers.undo(event.tournament_id, await by())

    async def as_before() -> bool:
        (now,) = event.said(title)
        return line in now and now.index(ana.mention) < now.index(ben.mention)

    await until(as_before, "the former places are back")


async def test_a_podium_that_was_deleted_stays_so(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 2)
    await event.create(plan_of(Format.ROUND_ROBIN))
    await event.start()
    event.decide = lambda _: 1
    await event.play_to_the_end()
    await event.shows("🏆 **Cup is over**")

    async def closed() -> bool:
        return (await event.snapshot()).tournament.closing_at is None

    await until(closed, "it is noted")
    (podium,) = [one for one in event.people[0].messages if text(one).startswith("🏆")]
    stand_in.world.messages.delete(int(podium["id"]))
    organisers = bot.service(OrganiserService)
    by = By(event.organiser.user_id, "So.", await organisers.last_seq(event.tournament_id))
    await organisers.correct(event.tournament_id, by, 1, Result.DRAW)
    await until(closed, "it is given up")
    await event.shows("**Cup**: ", "Reason: So.")
    assert not event.said("🏆")
