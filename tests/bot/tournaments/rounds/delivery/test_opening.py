"""Opening the games of a round: threads, the channel, what was left by a crash, and what is told; over the socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fakes.clock import Clock
from harness.bot import bot_running
from harness.discord import text, until
from harness.tournaments import Event, plan_of

from bot.sandbox.state import permissions as p
from bot.tournaments.rounds.opening.service import OpeningService
from bot.tournaments.tournament import PairingState, Status
from engine.core.hours import DAY
from engine.tournament.model import Format

if TYPE_CHECKING:
    import pytest

    from bot.core.client import AbakBot
    from bot.games.live import LiveGame
    from bot.games.stored import Place
    from bot.sandbox.server import Server
    from bot.tournaments.rounds.opening.service import Opening


async def test_a_process_without_the_shard_of_the_server_opens_threads(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 2)
    await event.create(plan_of(Format.SWISS, rounds=1, clock="3d/move", round_length=14 * DAY))
    for guild in bot.guilds:
        bot._connection._remove_guild(guild)
    await event.start()
    (stored,) = await event.round(1)
    assert stored.state is PairingState.RUNNING
    assert len(event.threads()) == 1


async def test_each_player_is_pinged_once_in_the_thread(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 2)
    ana, ben = event.people
    await event.create(plan_of(Format.SWISS, rounds=1, clock="3d/move", round_length=14 * DAY))
    await event.start()
    (stored,) = await event.round(1)
    live = await event.game(stored)

    async def shown() -> bool:
        return (await event.game(stored)).shown_seq >= 0

    await until(shown, "the board is shown")
    await until(lambda: ana.pings and ben.pings, "both are pinged")
    for seat, opponent in ((ana, "Ben"), (ben, "Ana")):
        (ping,) = seat.pings
        assert ping["channel_id"] == str(stored.channel_id)
        said = text(ping)
        assert f"**Cup · Round 1**: you play {opponent} in <#{stored.channel_id}>." in said
        assert "Time: 3 days per move." in said
        assert f"Your game must end by <t:{(stored.deadline or 0) // 1000}:f>." in said
        assert ("You begin." in said) == (live.to_act == seat.user_id)
    (name,) = event.threads()
    assert name == "Ana – Ben · Cup · 1.1"  # noqa: RUF001  a dash between the two


async def test_without_threads_the_games_are_played_one_after_the_other(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 4)
    stand_in.world.deny(event.organiser.channel_id, p.CREATE_PUBLIC_THREADS)
    await event.create(plan_of(Format.SWISS, rounds=1))
    await event.start()
    (first,) = await event.opened(1)
    assert first.channel_id == event.organiser.channel_id
    await event.shows("**Cup · Round 1**", "The games are played here, one after the other.")
    await event.play_round()
    (second,) = await event.opened(1)
    assert second.id != first.id
    await event.play_round()
    await event.status(Status.OVER)
    assert event.threads() == []


async def test_a_thread_that_a_killed_bot_has_made_is_used(
    stand_in: Server, bot: AbakBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = Event.of(stand_in, bot, 2)
    openings, attempts = event.bot.service(OpeningService), []
    real = openings.open

    async def killed_once(opening: Opening, place: Place) -> LiveGame:
        attempts.append(place.channel_id)
        if len(attempts) == 1:
            raise TimeoutError
        return await real(opening, place)

    monkeypatch.setattr(openings, "open", killed_once)
    monkeypatch.setattr("bot.tournaments.rounds.delivery.opening.backoff", lambda _: 0)
    await event.create(plan_of(Format.SWISS, rounds=1))
    await event.start()
    (stored,) = await event.opened(1)
    (name,) = event.threads()
    assert attempts == [stored.channel_id] * 2
    assert name == "Ana – Ben · Cup · 1.1"  # noqa: RUF001  a dash between the two
    assert stored.attempts == 2


async def test_the_organisers_are_told_once_that_games_cannot_be_opened(
    stand_in: Server, bot: AbakBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = Event.of(stand_in, bot, 4)
    monkeypatch.setattr("bot.tournaments.rounds.delivery.opening.backoff", lambda _: 0)
    stand_in.world.deny(event.organiser.channel_id, p.ATTACH_FILES)
    await event.create(plan_of(Format.SWISS, rounds=1))
    await event.start()
    direct = event.organiser.direct()
    await until(lambda: direct.messages, "the organiser is told")
    stand_in.world.allow(event.organiser.channel_id, p.ATTACH_FILES)
    event.look()
    await event.opened(2)
    assert [message for message in direct.messages if "I cannot open the games" in text(message)] == direct.messages[:1]


async def test_who_has_left_the_server_is_not_paired(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 5)
    world = stand_in.world
    await event.create(plan_of(Format.SWISS, rounds=2))
    world.remove_member(world.guild_id, event.people[1].user_id)
    await event.start()
    await event.round(1)
    snapshot = await event.snapshot()
    assert snapshot.player(2).reason == "left_server"
    assert all(stored.pairing.second for stored in snapshot.pairings)


async def test_a_cancelled_tournament_says_so(stand_in: Server, sqlite_url: str) -> None:
    time = Clock()
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        event = Event.of(stand_in, bot, 1)
        await event.create(plan_of(Format.SWISS, starts=time() + 60_000))
        time.pass_seconds(61)
        event.look()
        await event.shows("**Cup** is cancelled", "too few players")


async def test_a_restarted_bot_goes_on(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        event = Event.of(stand_in, bot, 4)
        await event.create(plan_of(Format.SINGLE_ELIMINATION))
        await event.start()
        await event.round(1)
    async with bot_running(stand_in, sqlite_url) as bot:
        again = Event(bot.services, stand_in, bot, event.organiser, event.people, tournament_id=event.tournament_id)
        snapshot = await again.play_to_the_end()
        assert all(stored.state is PairingState.DONE for stored in snapshot.pairings)
        await again.shows("🏆 **Cup is over**")
    assert len(again.said("**Cup · Semi-finals**")) == 1
