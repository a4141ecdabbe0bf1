"""The end of a tournament: the podium, and the roles of the winners."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.discord import alt, text
from harness.tournaments import Event, plan_of

from bot.sandbox.state import objects, permissions
from engine.tournament.model import Format

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
    assert told.splitlines()[-1] == line + ("" if may else " An organiser gives it, as I may not.")
    roles = {seat.user_id: world.members[world.guild_id][seat.user_id]["roles"] for seat in (ana, ben)}
    assert (str(role_id) in roles[ana.user_id]) is may
    assert str(role_id) not in roles[ben.user_id]
    (podium,) = [one for one in ana.messages if text(one).startswith("🏆")]
    assert "Ana" in alt(podium)[0]
    assert ana.pings == [one for one in ana.pings if "you play" in text(one)]
