"""A late game that an organiser decides, and notices of deadlines, over the socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fakes.clock import Clock
from harness.bot import bot_running, told
from harness.discord import buttons, text, until
from harness.hours import pass_unnoticed
from harness.tournaments import Event, plan_of

from bot.notifications.dispatcher import NotificationDispatcher
from bot.players.service import PlayerNames, PreferenceService
from bot.tournaments.tournament import LateRule, PairingState
from engine.core.hours import DAY
from engine.tournament.model import Format

if TYPE_CHECKING:
    from bot.sandbox.server import Server


async def test_the_organiser_is_told_of_a_late_game_and_finds_the_panel(stand_in: Server, sqlite_url: str) -> None:
    time = Clock()
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        event = Event.of(stand_in, bot, 2)
        ana, organiser = event.people[0], event.organiser
        plan = plan_of(Format.SWISS, rounds=1, round_length=7 * DAY, late_rule=LateRule.ORGANISER)
        await event.create(plan)
        await event.start()
        (stored,) = await event.round(1)
        await pass_unnoticed(bot, time, 6 * 86400 + 1)
        event.look()
        await until(lambda: any("must end by" in text(one) for one in ana.direct().messages), "a warning a day before")
        warning = text(ana.direct().last)
        assert "your game against Ben" in warning
        assert warning.endswith("After that, an organiser decides it.")
        await pass_unnoticed(bot, time, 86400)
        event.look()
        await until(lambda: organiser.pings, "the organiser is told")
        (ping,) = organiser.pings
        assert f"Ana – Ben in <#{stored.channel_id}> is late." in text(ping)  # noqa: RUF001  a dash between the two
        assert (await event.pairing(stored)).state is PairingState.LATE
        await organiser.press("Decide", ping)
        assert "Cup" in told(organiser)
        assert "Decide" in buttons(ping)


@pytest.mark.parametrize(
    ("clock", "prefers", "at_once"),
    [
        ("15m", {"quiet": "06:00-12:00"}, True),
        ("15m", {"pings": "digest"}, True),
        ("3d/move", {"quiet": "06:00-12:00"}, False),
    ],
)
async def test_a_live_round_reaches_who_wants_no_pings(
    stand_in: Server, sqlite_url: str, clock: str, prefers: dict[str, str], *, at_once: bool
) -> None:
    time = Clock()
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        event = Event.of(stand_in, bot, 3)
        for seat in event.people:
            for key, value in prefers.items():
                await bot.service(PreferenceService).set_user(seat.user_id, key, value)
        await event.create(plan_of(Format.SWISS, rounds=1, clock=clock))
        await event.start()
        await event.opened(1)
        dispatcher = bot.service(NotificationDispatcher)
        await dispatcher.turn()
        playing = {live.players for live in [await event.game(one) for one in await event.running()]}
        pinged = {seat.user_id for seat in event.people if any("you play" in text(one) for one in seat.pings)}
        assert pinged == ({user for players in playing for user in players} if at_once else set())


def test_an_arena_is_live_whatever_its_clock() -> None:
    assert plan_of(Format.ARENA, clock="1d/move").is_live
    assert [plan_of(Format.SWISS, clock=clock).is_live for clock in ("", "1d/move", "10m+5s")] == [False, False, True]


async def test_a_name_in_a_notice_is_no_markdown(stand_in: Server, sqlite_url: str) -> None:
    time = Clock()
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        event = Event.of(stand_in, bot, 2)
        ana, ben = event.people
        await event.create(plan_of(Format.SWISS, rounds=1, round_length=7 * DAY, late_rule=LateRule.ORGANISER))
        await bot.service(PlayerNames).seen(ben.user_id, "[free](https://evil.example) **x**")
        await event.start()
        await event.round(1)

        def named() -> list[str]:
            """Returns the notices with Ben's name: of the pairing, of its deadline, and to the organiser."""
            sent = [text(one) for seat in (ana, event.organiser) for one in [*seat.direct().messages, *seat.pings]]
            return [one for one in sent if "evil" in one]

        await until(lambda: len(named()) >= 1, "the pairing is told")
        await pass_unnoticed(bot, time, 6 * 86400 + 1)
        event.look()
        await until(lambda: len(named()) >= 2, "a warning a day before")
        await pass_unnoticed(bot, time, 86400)
        event.look()
        await until(lambda: len(named()) >= 3, "the organiser is told")
        assert all("\\[free\\]\\(https:\u200b//evil.example\\) \\*\\*x\\*\\*" in one for one in named())
