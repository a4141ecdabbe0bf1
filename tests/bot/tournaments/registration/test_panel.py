"""Setting up a tournament: the panel, its forms, the preview, and the announcement that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import Clock
from harness.bot import Room, private, told, verbs
from harness.discord import Seat, is_ephemeral, text, until

from bot.core.translations import language
from bot.sandbox.state import permissions
from bot.tournaments.registration.worker import AnnouncementWorker
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import LateRule, Status
from engine.core.hours import DAY

if TYPE_CHECKING:
    from bot.tournaments.tournament import Tournament

EN = language("en")
Json = dict[str, Any]
STARTED = 1_800_014_400_000
MANAGER = permissions.MEMBER | permissions.MANAGE_GUILD


@pytest.fixture
def now() -> Clock:
    return Clock(STARTED)


@pytest.fixture
def boss(room: Room) -> Seat:
    return Seat.join(room.server.world, "Max", room.channel_id, permissions=MANAGER)


async def the_only(room: Room) -> Tournament:
    assert room.bot is not None
    (found,) = await room.bot.service(TournamentService).of_server(room.server.world.guild_id, list(Status))
    return found


async def go_to(who: Seat, panel: Json, title: str) -> Json:
    """Presses Next until the page is shown."""
    while EN(f"tournament.page.{title}") not in text(who.fresh(panel)):
        await who.press(EN("button.plan_next"), panel)
    return who.fresh(panel)


def announcements(room: Room) -> list[Json]:
    world = room.server.world
    found = [m for m in world.messages.in_channel(room.channel_id) if not is_ephemeral(m)]
    return [m for m in found if "tournament_players" in verbs(m) or "##" in m["content"]]


async def announced(room: Room, boss: Seat, template: str = "long_swiss", **more: str) -> Json:
    """A tournament from a template, announced; its public message."""
    await boss.slash("tournament create", template=template, **more)
    panel = private(boss)
    await boss.press(EN("button.plan_preview"), panel)
    await boss.press(EN("button.plan_announce"), panel)
    await until(lambda: announcements(room), "it is announced")
    return announcements(room)[-1]


async def test_a_tournament_is_set_up_by_taps_and_announced(room: Room, boss: Seat) -> None:
    await boss.slash("tournament create", template="long_swiss", name="Winter Cup")
    panel = private(boss)
    assert is_ephemeral(panel)
    assert "Winter Cup" in text(panel)
    await boss.choose("7 rounds", menu=EN("tournament.plan.rounds"), message=panel)
    await go_to(boss, panel, "game")
    await boss.choose("backgammon,standard", menu=EN("tournament.plan.game"), message=panel)
    await go_to(boss, panel, "rounds")
    await boss.choose("604800000", menu=EN("tournament.plan.round_length"), message=panel)
    await boss.choose("organiser", menu=EN("tournament.plan.late"), message=panel)
    plan = (await the_only(room)).plan
    assert (plan.game, plan.stages[0].rounds, plan.round_length) == ("backgammon", 7, 7 * DAY)
    assert plan.late_rule is LateRule.ORGANISER
    await boss.press(EN("button.plan_preview"), panel)
    preview = text(boss.fresh(panel))
    assert "Swiss, 7 rounds" in preview
    assert "At most 7 rounds of 7 days with 64 players" in preview
    assert not announcements(room)
    await boss.press(EN("button.plan_announce"), panel)
    await until(lambda: announcements(room), "it is announced")
    (message,) = announcements(room)
    assert "Winter Cup" in text(message)
    assert "0 players of 64" in text(message)
    assert verbs(message) == ["tournament_join", "tournament_leave", "tournament_players"]
    assert not room.server.world.events.notifications


async def shows(room: Room, now: Clock, wanted: str) -> None:
    """Waits until the announcement, edited a while later, says this."""
    assert room.bot is not None
    now.pass_seconds(10)
    room.bot.service(AnnouncementWorker).wake()
    await until(lambda: wanted in text(announcements(room)[-1]), f"the announcement says {wanted}")


async def test_join_and_leave_by_buttons_and_commands(room: Room, boss: Seat, now: Clock) -> None:
    message = await announced(room, boss)
    await room.ana.press(EN("button.tournament_join"), message)
    assert "You are in" in told(room.ana)
    await room.ana.press(EN("button.tournament_join"), message)
    assert told(room.ana) == EN("tournament.join.already")
    await room.ben.slash("tournament join")
    assert "You are in" in told(room.ben)
    await room.ana.slash("tournament leave")
    assert "You have left" in told(room.ana)
    await room.ana.slash("tournament leave")
    assert told(room.ana) == EN("tournament.leave.not_in")
    await room.ben.slash("tournament show")
    assert EN("tournament.own.in") in told(room.ben)
    await room.ben.slash("tournament list")
    assert "Long Abak Swiss" in told(room.ben)
    assert "0 players of 64" in text(announcements(room)[0])  # edits wait for each other
    await shows(room, now, "1 player of 64")
    assert len(announcements(room)) == 1
