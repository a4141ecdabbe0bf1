"""A tournament's channel is deleted, and the bot opens the games anew where it is resumed; over the socket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import bot_running, private, told
from harness.discord import text, until
from harness.reopening import playing
from harness.tournaments import plan_of

from bot.board.delivery.publisher import BoardPublisher
from bot.clocks.removed_servers.service import RemovedServers
from bot.core.translations import language
from bot.games.service import GameService
from bot.notifications.dispatcher import NotificationDispatcher
from bot.players.service import PreferenceService
from bot.sandbox.state import permissions as p
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.reopening.service import ReopeningService
from bot.tournaments.tournament import PairingState, Status
from engine.core.hours import DAY, HOUR
from engine.match.match import Terms
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from bot.games.stored import Place
    from bot.sandbox.server import Server
    from bot.tournaments.reopening.service import Displaced
    from bot.tournaments.tournament import Plan

EN = language("en")
CLOCK = {"clock": "1d/move", "round_length": 14 * DAY}
SWISS = plan_of(Format.SWISS, rounds=3, **CLOCK)


async def test_everything_goes_on_elsewhere(stand_in: Server, sqlite_url: str) -> None:
    async with playing(stand_in, sqlite_url, SWISS) as event:
        before = {one.id: one for one in await event.running()}
        await event.pass_time(HOUR // 1000)
        await event.channel_deleted()
        await event.pass_time(3 * DAY // 1000)
        assert [one.state for one in await event.running()] == [PairingState.RUNNING] * 2
        channel = await event.elsewhere()
        ana = event.people[0].at(channel)
        await ana.slash("abak games")
        assert "Abalone against" in told(ana)  # no link to what is gone, and no time that runs
        assert "no channel: the clock is stopped" in told(ana)
        mover = event.seat_of((await event.game(before[1])).awaited or 0).at(channel)
        await mover.slash("abak next")
        assert "no channel: the clock is stopped" in told(mover)
        assert "https://" not in told(mover)
        assert "<t:" not in told(mover)
        await event.resumed(channel)
        assert "The 2 running games are opened here anew; their clocks stand until then." in told(event.organiser)
        after = await event.reopened()
        for one in after:
            assert one.channel_id != before[one.id].channel_id
            assert await event.left(one) == DAY - HOUR
            assert one.deadline == (before[one.id].deadline or 0) + 3 * DAY
            (board,) = event.boards(one.channel_id or 0)
            assert "+3 days: the bot was away, or the game had no channel." in board
            assert (await event.game(one)).place.channel_id == one.channel_id
        await event.shows("**Cup**: ", "resumed the tournament")
        for one in after:
            await event.links("**Cup · Round 1**", one.channel_id)
        await ana.slash("abak games")
        assert f"/{after[0].channel_id}/{(await event.game(after[0])).message_id})" in told(ana)
        for seat in event.people:
            (notice,) = event.notices(seat)
            (live,) = [live for live in [await event.game(one) for one in after] if seat.user_id in live.players]
            assert f"<#{live.place.channel_id}> against " in notice
            assert ("(your turn)" in notice) == (live.awaited == seat.user_id)
            assert event.directly(seat) == []  # nothing else was said to them
        assert len(event.threads()) == 2
        await event.play_to_the_end()


async def test_it_is_said_in_spanish(stand_in: Server, sqlite_url: str) -> None:
    async with playing(stand_in, sqlite_url, SWISS, locale="es") as event:
        await event.channel_deleted()
        await event.services[NotificationDispatcher].turn()
        channel = await event.elsewhere()
        await event.organiser.slash("tournament resume", reason="Aquí.", channel=str(channel), tournament="Cup")
        await event.reopened()
        said = [text(one) for _, one in event.server.world.events.notifications]
        told_all = [one for one in said if "se borró el canal de tu partida, así que la he abierto de nuevo" in one]
        assert len(told_all) == 4
        assert all("Mientras tanto no corrió ningún reloj." in one and " contra " in one for one in told_all)
        await event.shows("**Cup**: ", "Las 2 partidas en curso se abren aquí de nuevo")


@pytest.mark.parametrize(
    ("plan", "games"),
    [
        (plan_of(Format.SINGLE_ELIMINATION, **CLOCK), 2),
        (plan_of(Format.ROUND_ROBIN, **CLOCK), 2),
        (plan_of(Format.ARENA, arena=DAY, clock="10m"), 2),
        (plan_of(Format.SWISS, rounds=1, game="backgammon", terms=Terms(points=3), **CLOCK), 2),
    ],
    ids=["knockout", "round robin", "arena", "match"],
)
async def test_whatever_the_format(stand_in: Server, sqlite_url: str, plan: Plan, games: int) -> None:
    async with playing(stand_in, sqlite_url, plan, games=games) as event:
        left = {one.id: await event.left(one) for one in await event.running()}
        await event.channel_deleted()
        await event.pass_time(HOUR // 1000)
        await event.resumed(await event.elsewhere())
        after = await event.reopened()
        assert {one.id: await event.left(one) for one in after} == left
        assert all(len(event.boards(one.channel_id or 0)) == 1 for one in after)
        assert all(len(event.notices(seat)) == 1 for seat in event.people)
        await event.win(after[0], after[0].pairing.first)  # and its result counts
        assert (await event.pairing(after[0])).result is Result.FIRST_WINS


async def test_a_ladder(stand_in: Server, sqlite_url: str) -> None:
    async with playing(stand_in, sqlite_url, plan_of(Format.LADDER, clock="1d/move"), games=0) as event:
        one, other = event.people[0].user_id, event.people[1].user_id
        await event.rounds.challenge(event.tournament_id, other, one)
        (before,) = await event.opened(1)
        await event.settled()
        await event.channel_deleted()
        await event.pass_time(30 * DAY // 1000)
        await event.resumed(await event.elsewhere())
        (after,) = await event.reopened()
        assert (before.deadline is None) == (after.deadline is None)
        assert (after.deadline or 0) - (before.deadline or 0) == 30 * DAY
        assert await event.left(after) == DAY
        await event.links("**Cup · Games**", after.channel_id)


@pytest.mark.parametrize("right", [p.CREATE_PUBLIC_THREADS, p.ATTACH_FILES, p.SEND_MESSAGES_IN_THREADS])
async def test_a_missing_permission_is_named_and_nothing_is_done(stand_in: Server, sqlite_url: str, right: int) -> None:
    async with playing(stand_in, sqlite_url, SWISS) as event:
        await event.channel_deleted()
        channel = await event.elsewhere()
        stand_in.world.deny(channel, right)
        await event.organiser.slash("tournament resume", reason="Here.", channel=str(channel), tournament="Cup")
        assert f"I cannot open the games in <#{channel}>. I need the permission" in told(event.organiser)
        assert private(event.organiser)
        tournament = await event.service.get(event.tournament_id)
        assert (tournament.paused is None, tournament.channel_id == channel) == (False, False)
        assert await event.displaced() == 2
        assert event.said() == []
        stand_in.world.allow(channel, right)
        await event.resumed(channel)
        assert len(await event.reopened()) == 2


async def test_a_game_that_ends_meanwhile_is_not_opened(stand_in: Server, sqlite_url: str) -> None:
    async with playing(stand_in, sqlite_url, SWISS) as event:
        one, other = await event.running()
        await event.channel_deleted()
        await event.win(one, one.pairing.first)
        await event.resumed(await event.elsewhere())
        (left,) = await event.reopened()
        assert left.id == other.id
        assert (await event.pairing(one)).result is Result.FIRST_WINS
        assert len(event.threads()) == 1
        users = [(await event.snapshot()).player(number).user_id for number in one.pairing.players]
        assert [event.notices(event.seat_of(user)) for user in users] == [[], []]


async def test_a_move_while_there_is_no_channel(stand_in: Server, sqlite_url: str) -> None:
    """By the private panel of the next game: the opponent is pinged by the new board."""
    async with playing(stand_in, sqlite_url, SWISS) as event:
        stored = (await event.running())[0]
        live = await event.game(stored)
        await event.channel_deleted()
        await event.pass_time(2 * DAY // 1000)
        step = live.game.legal(live.state)[0]
        moved = await event.games.play(live.id, live.to_act or 0, None, live.game.format(live.state, [step]))
        assert not moved.is_over
        await event.services[BoardPublisher].idle()
        await event.services[NotificationDispatcher].turn()
        waited = event.seat_of(moved.awaited or 0)
        assert event.directly(waited) == []  # nobody is called to where nothing is
        await event.pass_time(2 * DAY // 1000)
        await event.resumed(await event.elsewhere())
        await event.reopened()
        assert await event.left(stored) == DAY
        assert len(event.notices(waited)) == 1


async def test_the_thread_of_a_game_is_deleted(stand_in: Server, sqlite_url: str) -> None:
    async with playing(stand_in, sqlite_url, SWISS) as event:
        one, other = await event.running()
        stand_in.world.delete_channel(one.channel_id or 0)
        await event.reopened_elsewhere(one)
        await event.reopened()
        after = await event.pairing(one)
        assert (await event.pairing(other)).channel_id == other.channel_id
        assert (await event.service.get(event.tournament_id)).paused is None
        await event.links("**Cup · Round 1**", after.channel_id)
        users = (await event.game(one)).players
        assert [len(event.notices(seat)) for seat in event.people] == [int(s.user_id in users) for s in event.people]
        assert all("/abak move here" not in line for seat in event.people for line in event.directly(seat))


async def test_clocks_stand_until_the_board_is_shown(stand_in: Server, sqlite_url: str) -> None:
    """The bot may not post in the channel for days after the thread was deleted."""
    async with playing(stand_in, sqlite_url, SWISS) as event:
        one, _ = await event.running()
        stand_in.world.deny(event.organiser.channel_id, p.ATTACH_FILES)
        stand_in.world.delete_channel(one.channel_id or 0)
        await event.lasting(1)
        await until(lambda: event.directly(event.organiser), "the organiser is told")
        assert "I cannot open the games" in event.directly(event.organiser)[0]
        await event.pass_time(20 * DAY // 1000)
        assert (await event.pairing(one)).state is PairingState.RUNNING
        stand_in.world.allow(event.organiser.channel_id, p.ATTACH_FILES)
        await event.reopened()
        after = await event.pairing(one)
        assert await event.left(one) == DAY
        assert after.deadline == (one.deadline or 0) + 20 * DAY
        assert len(event.directly(event.organiser)) == 1


async def test_who_has_quiet_hours_hears_of_it_at_their_end(stand_in: Server, sqlite_url: str) -> None:
    async with playing(stand_in, sqlite_url, SWISS) as event:
        ana, ben = event.people[:2]
        now = event.clock() // HOUR % 24
        quiet = f"{(now - 1) % 24:02}:00-{(now + 3) % 24:02}:00"
        preferences = event.services[PreferenceService]
        await preferences.set_user(ana.user_id, "zone", "UTC")
        await preferences.set_user(ana.user_id, "quiet", quiet)
        await event.channel_deleted()
        await event.resumed(await event.elsewhere())
        await event.reopened()
        assert (len(event.notices(ana)), len(event.notices(ben))) == (0, 1)
        await event.pass_time(5 * HOUR // 1000)
        await event.services[NotificationDispatcher].turn()
        assert len(event.notices(ana)) == 1


async def test_no_reminder_is_sent_of_a_clock_that_stands(stand_in: Server, sqlite_url: str) -> None:
    async with playing(stand_in, sqlite_url, SWISS) as event:
        await event.channel_deleted()
        await event.pass_time(2 * DAY // 1000)
        for stored in await event.running():  # as the private panel of a game does
            await event.games.tick((await event.game(stored)).id)
        await event.pass_time(DAY // 1000 - 60)
        await event.services[NotificationDispatcher].turn()
        assert [line for seat in event.people for line in event.directly(seat)] == []
        await event.resumed(await event.elsewhere())
        await event.reopened()
        await event.pass_time(DAY // 1000 - 60)
        await event.services[NotificationDispatcher].turn()
        reminded = [seat for seat in event.people if any("Your time runs out" in line for line in event.directly(seat))]
        assert len(reminded) == 2


async def test_a_player_takes_the_game_elsewhere_first(stand_in: Server, sqlite_url: str) -> None:
    async with playing(stand_in, sqlite_url, SWISS) as event:
        one, other = await event.running()
        await event.channel_deleted()
        await event.pass_time(DAY // 1000)
        ours = stand_in.world.add_channel("ours")
        user = (await event.game(one)).players[0]
        posted: list[str] = []

        def note(sent: dict[str, Any]) -> None:
            if sent["type"] == "message_create" and sent["message"]["attachments"]:
                posted.append(text(sent["message"]))

        stand_in.world.subscribe(note)
        await event.seat_of(user).at(ours).slash("abak move here")
        await event.lasting(1)  # its clock runs again, although the tournament is paused
        assert (await event.pairing(one)).channel_id == ours
        assert "+1 day: the bot was away, or the game had no channel." in posted[0]
        assert await event.left(one) == DAY
        await event.resumed(await event.elsewhere())
        await event.reopened()
        assert (await event.game(one)).place.channel_id == ours
        assert (await event.game(other)).place.channel_id == (await event.pairing(other)).channel_id
        assert event.notices(event.seat_of(user)) == []
        await event.links("**Cup · Round 1**", ours)


async def test_a_cancelled_tournament_leaves_its_games_to_the_players(stand_in: Server, sqlite_url: str) -> None:
    async with playing(stand_in, sqlite_url, SWISS) as event:
        stored = (await event.running())[0]
        await event.channel_deleted()
        await event.pass_time(DAY // 1000)
        by = By(event.organiser.user_id, "Enough.", 99)
        await event.services[OrganiserService].cancel(event.tournament_id, by)
        await event.lasting(0)
        await event.services[NotificationDispatcher].turn()
        assert all("Use `/abak move here`" in event.directly(seat)[-1] for seat in event.people)
        assert await event.left(stored) == DAY


async def test_without_threads_the_game_is_opened_in_the_channel(stand_in: Server, sqlite_url: str) -> None:
    plan = plan_of(Format.SWISS, rounds=1, threads=False, **CLOCK)
    async with playing(stand_in, sqlite_url, plan, games=1) as event:
        await event.channel_deleted()
        channel = await event.elsewhere()
        await event.resumed(channel)
        (after,) = await event.reopened()
        assert after.channel_id == channel
        assert event.threads() == []
        await event.play_to_the_end()


async def test_the_new_channel_is_deleted_too(stand_in: Server, sqlite_url: str) -> None:
    async with playing(stand_in, sqlite_url, SWISS) as event:
        await event.channel_deleted()
        await event.pass_time(DAY // 1000)
        await event.resumed(await event.elsewhere())
        await event.reopened()
        await event.pass_time(60)
        await event.channel_deleted()
        await event.pass_time(DAY // 1000)
        await event.resumed(await event.elsewhere())
        after = await event.reopened()
        assert [await event.left(one) for one in after] == [DAY - 60_000] * 2
        assert [len(event.notices(seat)) for seat in event.people] == [2] * 4


async def test_the_bot_comes_back_to_a_server_with_a_deleted_channel(stand_in: Server, sqlite_url: str) -> None:
    """What stands still because its channel is gone stays so when the server has the bot again."""
    async with playing(stand_in, sqlite_url, SWISS) as event:
        await event.channel_deleted()
        await event.services[RemovedServers].removed(stand_in.world.guild_id)
        await event.pass_time(DAY // 1000)
        await event.services[RemovedServers].joined(stand_in.world.guild_id)
        await event.pass_time(DAY // 1000)
        games: list[Any] = [await event.game(one) for one in await event.running()]
        assert [live.seq for live in games] == [0, 0]  # nothing was ticked
        running = await event.services[GameService].of(event.people[0].user_id)
        assert [game.stands_still for game in running] == [True]


@pytest.mark.parametrize("whole", [True, False], ids=["channel", "thread"])
async def test_what_was_deleted_while_the_bot_was_away(stand_in: Server, sqlite_url: str, *, whole: bool) -> None:
    async with playing(stand_in, sqlite_url, SWISS) as event:
        one, _ = await event.running()
    stand_in.world.delete_channel(event.organiser.channel_id if whole else one.channel_id or 0)
    async with bot_running(stand_in, sqlite_url, now=event.clock) as bot:
        event = event.with_bot(bot)
        if whole:
            await event.paused()
            await event.resumed(await event.elsewhere())
        else:
            await event.links("**Cup · Round 1**", (await event.reopened_elsewhere(one)).channel_id)
        after = await event.reopened()
        assert len(after) == 2
        assert all(len(event.boards(stored.channel_id or 0)) == 1 for stored in after)


async def test_a_thread_that_a_killed_bot_has_made_is_used(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with playing(stand_in, sqlite_url, SWISS) as event:
        service, attempts = event.services[ReopeningService], list[int]()
        real = service.reopen

        async def killed_once(found: Displaced, place: Place) -> None:
            attempts.append(place.channel_id)
            if len(attempts) <= 2:
                raise TimeoutError
            await real(found, place)

        monkeypatch.setattr(service, "reopen", killed_once)
        monkeypatch.setattr("bot.tournaments.reopening.worker.backoff", lambda _: 0)
        await event.channel_deleted()
        await event.resumed(await event.elsewhere())
        after = await event.reopened()
        assert len(event.threads()) == 2
        assert sorted(set(attempts)) == sorted(stored.channel_id or 0 for stored in after)


async def test_a_thread_is_removed_whose_game_has_ended_meanwhile(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with playing(stand_in, sqlite_url, plan_of(Format.SWISS, rounds=1, **CLOCK), 2, games=1) as event:
        (stored,) = await event.running()
        service = event.services[ReopeningService]
        real = service.reopen

        async def too_late(found: Displaced, place: Place) -> None:
            await event.win(stored, stored.pairing.first)
            await real(found, place)

        monkeypatch.setattr(service, "reopen", too_late)
        await event.channel_deleted()
        await event.resumed(await event.elsewhere())
        await event.reopened()
        assert event.threads() == []


async def test_an_organiser_finishes_a_paused_tournament(stand_in: Server, sqlite_url: str) -> None:
    async with playing(stand_in, sqlite_url, SWISS) as event:
        await event.channel_deleted()
        await event.services[OrganiserService].finish(event.tournament_id, By(event.organiser.user_id, "End.", 99))
        await event.lasting(0)
        assert (await event.service.get(event.tournament_id)).status is Status.OVER
