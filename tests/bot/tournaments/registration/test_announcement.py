"""The public message of a tournament: up to date without pings, posted again once, silent when it cannot be."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from unittest.mock import AsyncMock

import discord
import pytest
from fakes.clock import Clock
from harness.bot import Room, milliseconds, private, verbs
from harness.discord import Seat, is_ephemeral, text, until
from sqlalchemy import update

from bot.board.delivery.permission_issues import PermissionIssues
from bot.core.messages import DOUBT_MS, ChannelMessages
from bot.core.translations import language
from bot.core.workers import backoff
from bot.sandbox.state import permissions
from bot.tournaments.registration.service import EDIT_MS, MOST_ATTEMPTS, RegistrationService
from bot.tournaments.registration.templates import TEMPLATES
from bot.tournaments.registration.worker import AnnouncementWorker
from bot.tournaments.service import TournamentService
from bot.tournaments.tables import tournaments
from bot.tournaments.tournament import PlayerStatus, Status
from engine.core.hours import DAY

if TYPE_CHECKING:
    from bot.tournaments.registration.service import UnshownAnnouncement
    from bot.tournaments.tournament import Tournament

EN = language("en")
Json = dict[str, Any]


@pytest.fixture
def now() -> Clock:
    """From the time of the stand-in, which the ids of messages tell."""
    return Clock(milliseconds())


@pytest.fixture
async def cup(room: Room) -> Tournament:
    """A tournament that is announced; from now on, the worker runs only when a test has it run."""
    assert room.bot is not None
    service, world = room.bot.service(RegistrationService), room.server.world
    plan = replace(TEMPLATES["long_swiss"], capacity=2)
    owner = world.add_user("Owner")
    draft = await service.draft(world.guild_id, room.channel_id, owner, "Cup", "en", plan)
    opened = await service.open(draft.id, owner)
    await until(lambda: posted(room), "it is announced")
    worker = room.bot.service(AnnouncementWorker)
    await worker.close()
    worker.stopping = False
    return opened


def posted(room: Room) -> list[Json]:
    found = room.server.world.messages.in_channel(room.channel_id)
    return [m for m in found if not is_ephemeral(m) and "## Cup" in m["content"]]


async def turn(room: Room, now: Clock) -> None:
    """Runs the worker once, a while later."""
    assert room.bot is not None
    now.pass_seconds(EDIT_MS / 1000 + 1)
    await room.bot.service(AnnouncementWorker).run_once()


async def change(room: Room, cup: Tournament, **changes: Any) -> None:
    assert room.bot is not None
    async with room.bot.service(TournamentService).changing(cup.id) as changing:
        await changing.set(replace(changing.tournament, **changes))


async def test_it_follows_who_joins_without_a_ping(room: Room, now: Clock, cup: Tournament) -> None:
    assert room.bot is not None
    service = room.bot.service(RegistrationService)
    for user in (room.ana.user_id, room.ben.user_id, cup.owner):
        await service.join(cup.id, user, ())
    await turn(room, now)
    (message,) = posted(room)
    assert "2 players of 2 (1 on the waiting list)" in text(message)
    assert not room.server.world.events.notifications
    edits = message["edited_timestamp"]
    await turn(room, now)  # nothing has changed
    assert posted(room)[0]["edited_timestamp"] == edits


async def test_it_says_how_it_goes_and_who_has_won(room: Room, now: Clock, cup: Tournament) -> None:
    assert room.bot is not None
    service = room.bot.service(RegistrationService)
    for user in (room.ana.user_id, room.ben.user_id):
        await service.join(cup.id, user, ())
    await change(room, cup, status=Status.CHECK_IN)
    await turn(room, now)
    assert EN("tournament.state.check_in", done=0, total=2) in text(posted(room)[0])
    await service.check_in(cup.id, room.ana.user_id)
    await turn(room, now)
    assert EN("tournament.state.check_in", done=1, total=2) in text(posted(room)[0])
    await room.ben.press("b:tournament_players:", posted(room)[0])
    ana, ben = private(room.ben)["content"].splitlines()[1:]
    assert ana.endswith(EN("tournament.player_checked_in", line=""))
    assert not ben.endswith(EN("tournament.player_checked_in", line=""))
    assert verbs(posted(room)[0])[:2] == ["tournament_check_in", "tournament_leave"]
    await change(room, cup, status=Status.RUNNING, round=4, paused=now(), started=now())
    await turn(room, now)
    message = posted(room)[0]
    assert EN("tournament.results.live", round=4, done=0, n=0) in text(message)
    assert "paused" in text(message)
    expected = ["tournament_standings", "tournament_pairings", "tournament_leave", "tournament_players"]
    assert verbs(message) == expected
    async with room.bot.service(TournamentService).changing(cup.id) as changing:
        (first, second) = changing.snapshot.players
        gone = replace(second, status=PlayerStatus.WITHDRAWN, first_place=2)
        await changing.set_players(replace(first, first_place=1), gone)
        await changing.set(replace(changing.tournament, status=Status.OVER, paused=None))
    await turn(room, now)
    message = posted(room)[0]
    assert EN("tournament.state.winner", n=1, names=room.ana.mention) in text(message)
    assert EN("tournament.players", n=2) in text(message)  # as many as the last message and the podium say
    assert "tournament_join" not in verbs(message)
    assert len(posted(room)) == 1


async def test_a_deleted_message_is_posted_again_once(room: Room, now: Clock, cup: Tournament) -> None:
    assert room.bot is not None
    world = room.server.world
    for again in (1, 0):
        (message,) = posted(room)
        world.messages.delete(int(message["id"]))
        assert not posted(room)
        await change(room, cup, name=f"Cup {again}")
        await turn(room, now)
        await turn(room, now)
        assert len(posted(room)) == again
    max_ = Seat.join(world, "Max", room.channel_id, permissions=permissions.MEMBER | permissions.MANAGE_GUILD)
    await max_.slash("tournament show")
    await max_.press(EN("button.tournament_repost"), private(max_))
    await turn(room, now)
    assert len(posted(room)) == 1


async def test_a_missing_permission_is_noted_and_it_follows_later(room: Room, now: Clock, cup: Tournament) -> None:
    assert room.bot is not None
    world = room.server.world
    (message,) = posted(room)
    world.messages.delete(int(message["id"]))
    world.deny(room.channel_id, permissions.SEND_MESSAGES)
    await change(room, cup, name="Cup 2")
    await turn(room, now)
    await turn(room, now)
    assert not posted(room)
    (issue,) = await room.bot.service(PermissionIssues).not_informed(world.guild_id)
    assert issue.permission == "send_messages"
    world.allow(room.channel_id, permissions.SEND_MESSAGES)
    now.pass_seconds(7 * 3600)
    await turn(room, now)
    assert len(posted(room)) == 1


async def unreadable(room: Room, *denied: int) -> None:
    """Forbids the bot to read the channel's history, and makes Discord forget the nonces."""
    assert room.bot is not None
    world, channel = room.server.world, room.bot.get_channel(room.channel_id)
    assert isinstance(channel, discord.TextChannel)
    for one in (permissions.READ_MESSAGE_HISTORY, *denied):
        world.deny(room.channel_id, one)
    await until(lambda: not channel.permissions_for(channel.guild.me).read_message_history, "the bot knows it")
    world.messages.nonces.clear()


async def forget(room: Room, cup: Tournament, now: Clock) -> None:
    """Restores the state in which a process died after sending the announcement and before noting it."""
    assert room.bot is not None
    async with room.bot.services.database.writing() as connection:
        this = tournaments.c.id == cup.id
        await connection.execute(
            update(tournaments).where(this).values(message_id=None, posted=0, shown=-1, next_attempt_at=now())
        )


async def test_it_is_not_posted_twice_where_the_bot_may_not_look(room: Room, now: Clock, cup: Tournament) -> None:
    """It is found as soon as the bot may look, and followed again."""
    world = room.server.world
    await unreadable(room)
    await forget(room, cup, now)
    for name in ("Cup 2", "Cup 3"):
        await change(room, cup, name=name)
        await turn(room, now)
        now.pass_seconds(DOUBT_MS / 1000)
    assert ["## Cup\n" in one["content"] for one in posted(room)] == [True]
    world.allow(room.channel_id, permissions.READ_MESSAGE_HISTORY)
    assert room.bot is not None
    channel = room.bot.get_channel(room.channel_id)
    assert isinstance(channel, discord.TextChannel)
    await until(lambda: channel.permissions_for(channel.guild.me).read_message_history, "the bot knows it")
    await turn(room, now)
    assert ["## Cup 3" in one["content"] for one in posted(room)] == [True]


async def test_it_is_found_after_attempts_that_could_not_look(
    room: Room, now: Clock, cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert room.bot is not None
    await forget(room, cup, now)
    room.server.world.messages.nonces.clear()  # Discord forgets them after some minutes
    worker, look = room.bot.service(AnnouncementWorker), AsyncMock(side_effect=TimeoutError)
    with monkeypatch.context() as patch:
        patch.setattr(ChannelMessages, "find", look)
        for failures in range(3):
            await worker.run_once()
            now.pass_seconds(backoff(failures) / 1000)
    await worker.run_once()
    assert look.await_count == 3
    assert len(posted(room)) == 1


async def test_it_is_posted_where_the_bot_may_not_look_if_discord_had_refused_it(
    room: Room, now: Clock, cup: Tournament
) -> None:
    world = room.server.world
    world.messages.delete(int(posted(room)[0]["id"]))
    await unreadable(room, permissions.SEND_MESSAGES)
    await change(room, cup, name="Cup 2")
    await turn(room, now)
    await turn(room, now)
    assert not posted(room)
    world.allow(room.channel_id, permissions.SEND_MESSAGES)
    now.pass_seconds(7 * 3600)
    await turn(room, now)
    assert len(posted(room)) == 1


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tournaments whose announcement is edited, each as often as that is tried."""
    tried: list[str] = []
    show = AnnouncementWorker._show

    async def counted(worker: AnnouncementWorker, unshown: UnshownAnnouncement) -> None:
        tried.append(unshown.tournament_id)
        await show(worker, unshown)

    monkeypatch.setattr(AnnouncementWorker, "_show", counted)
    return tried


async def ninety_days(room: Room, now: Clock) -> None:
    """Runs the worker for ninety days, whenever something is due."""
    assert room.bot is not None
    service, end = room.bot.service(RegistrationService), now() + 90 * DAY
    while now() < end:
        await room.bot.service(AnnouncementWorker).run_once()
        due = await service.next_unshown()
        now.at = end if due is None else max(due, now() + 1)


async def without_the_bot(room: Room, cup: Tournament) -> None:
    """Removes the bot from the server, so that the tournament is paused."""
    assert room.bot is not None
    service = room.bot.service(TournamentService)
    room.server.world.remove_bot(cup.guild_id)

    async def is_paused() -> bool:
        return (await service.get(cup.id)).paused is not None

    await until(is_paused, "it is paused")


async def test_in_a_server_without_the_bot_it_is_not_tried_for_ever(
    room: Room, now: Clock, cup: Tournament, tries: list[str]
) -> None:
    await without_the_bot(room, cup)
    await ninety_days(room, now)
    assert tries == [cup.id] * MOST_ATTEMPTS
    await change(room, cup, name="Cup 2")  # one more for each change
    await ninety_days(room, now)
    assert tries == [cup.id] * (MOST_ATTEMPTS + 1)


@pytest.mark.parametrize("status", [Status.REGISTRATION, Status.OVER])
async def test_it_is_up_to_date_when_the_bot_is_back(
    room: Room, now: Clock, cup: Tournament, tries: list[str], status: Status
) -> None:
    await without_the_bot(room, cup)
    await change(room, cup, name="Cup 2", status=status)
    await ninety_days(room, now)
    assert "Cup 2" not in text(posted(room)[0])
    tried = len(tries)
    room.server.world.invite_bot(cup.guild_id)

    async def is_due() -> bool:
        assert room.bot is not None
        return await room.bot.service(RegistrationService).next_unshown() is not None

    await until(is_due, "it is tried again")
    await turn(room, now)
    (message,) = posted(room)
    assert "Cup 2" in text(message)
    await ninety_days(room, now)
    assert len(tries) == tried + 1


async def test_a_deleted_channel_ends_the_attempts(room: Room, now: Clock, cup: Tournament) -> None:
    assert room.bot is not None
    room.server.world.delete_channel(room.channel_id)
    service = room.bot.service(TournamentService)

    async def is_paused() -> bool:
        return (await service.get(cup.id)).paused is not None

    await until(is_paused, "the deleted channel has paused it")
    await change(room, cup, name="Cup 2")
    await turn(room, now)
    found = await service.get(cup.id)
    assert found.shown == found.version
