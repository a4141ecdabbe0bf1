"""The thread of a game: its name, when it is archived; and that the list of a player's games names the tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import AsyncMock

import pytest
from harness.bot import SPANISH, bot_running, told
from harness.discord import until
from harness.tournaments import Event, plan_of

from bot.core.translations import language_for_locale
from bot.games.new_game import NewGame
from bot.games.stored import Place
from bot.tournaments.organising.rules.effect import Ruling
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.rounds.delivery import ended_threads
from bot.tournaments.tournament import Status
from engine.match.match import Terms
from engine.tournament.model import Format

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.server import Server

SHORT = 2.0
"""Seconds in which the last messages of a game are posted: a message opens an archived thread."""


def archived(event: Event) -> dict[int, bool]:
    """Returns the threads of the tournament's channel."""
    parent = str(event.organiser.channel_id)
    found = [one for one in event.server.world.channels.values() if one.get("parent_id") == parent]
    return {int(one["id"]): one["thread_metadata"]["archived"] for one in found}


async def test_a_long_name_leaves_room_for_the_round(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 2)
    for seat in event.people:
        stand_in.world.users[seat.user_id]["global_name"] *= 10
    await event.create(plan_of(Format.SWISS, rounds=1), "C" * 64)
    await event.start()
    await event.opened(1)
    (name,) = event.threads()
    assert len(name) == 100
    assert "CC… · 1.1" in name


async def test_a_thread_is_archived_when_its_game_ends(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ended_threads, "PAUSE", SHORT)
    async with bot_running(stand_in, sqlite_url) as bot:
        event = Event.of(stand_in, bot, 4)
        await event.create(plan_of(Format.SWISS, rounds=1, game="backgammon", terms=Terms(points=3)))
        await event.start()
        one, other = await event.opened(2)
        live = await event.game(one)
        await event.games.resign(live.id, live.players[0], 1)  # the match goes on
        await event.win(other, other.pairing.first)
        await until(lambda: archived(event)[other.channel_id or 0], "the thread is archived")
        assert not archived(event)[one.channel_id or 0]
        await event.win(one, one.pairing.first)
        await until(lambda: all(archived(event).values()), "both are archived")


@pytest.mark.parametrize("act", ["repair", "replay"])
async def test_the_thread_of_a_void_game_is_archived(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    """The round is paired again, or the game is played again: the pairing does not know the game any more."""
    monkeypatch.setattr(ended_threads, "PAUSE", SHORT)
    async with bot_running(stand_in, sqlite_url) as bot:
        event = Event.of(stand_in, bot, 4)
        await event.create(plan_of(Format.SWISS, rounds=3))
        await event.start()
        former = await event.opened(2)
        organising = bot.service(OrganiserService)
        by = By(event.organiser.user_id, "Because.", await organising.last_seq(event.tournament_id))
        if act == "repair":
            await organising.repair(event.tournament_id, by)
            void = {one.channel_id for one in former}
        else:
            await organising.adjudicate(event.tournament_id, by, former[0].id, Ruling.REPLAY)
            void = {former[0].channel_id}
        await until(lambda: all(archived(event)[channel or 0] for channel in void), "void games are archived")
        running = await event.opened(2)
        assert not [one for one in running if archived(event)[one.channel_id or 0]]


async def test_a_thread_waits_on_until_it_is_archived(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is struck off the list after that, so a failure of the database is made up for."""
    async with bot_running(stand_in, sqlite_url) as bot:
        event = Event.of(stand_in, bot, 2)
        await event.create(plan_of(Format.SWISS, rounds=1))
        await event.start()
        (stored,) = await event.opened(1)
        await event.win(stored, stored.pairing.first)
        await event.status(Status.OVER)
        threads, repository = ended_threads.EndedThreads(bot, bot.services), event.rounds.repository
        monkeypatch.setattr(ended_threads, "PAUSE", 0)
        threads.ended(await event.game(stored))
        with monkeypatch.context() as broken:
            broken.setattr(repository, "ended_apart", AsyncMock(side_effect=OSError("no database")))
            with pytest.raises(OSError, match="no database"):
                await threads.run_once()
        assert not archived(event)[stored.channel_id or 0]
        await threads.run_once()
        assert archived(event)[stored.channel_id or 0]
        assert await threads.run_once() == ended_threads.LONGEST_SLEEP


async def test_other_places_are_not_archived(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a thread in which a rematch runs, nor one that the bot has not made for a tournament."""
    monkeypatch.setattr(ended_threads, "PAUSE", SHORT)
    async with bot_running(stand_in, sqlite_url) as bot:
        event = Event.of(stand_in, bot, 2)
        world = stand_in.world
        chat = world.add_thread(event.organiser.channel_id, "Chat", event.organiser.user_id)
        ana, ben = (seat.user_id for seat in event.people)
        casual = await event.games.open(
            NewGame("abalone", {}, Place(world.guild_id, int(chat["id"])), "en"), (ana, ben)
        )
        await event.games.resign(casual.id, ana, 1)
        await event.create(plan_of(Format.SINGLE_ELIMINATION))
        await event.start()
        (stored,) = await event.opened(1)
        await event.win(stored, stored.pairing.first)
        place = Place(world.guild_id, stored.channel_id or 0)
        await until(lambda: archived(event)[place.channel_id], "the thread is archived")
        assert not archived(event)[int(chat["id"])]


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_the_list_of_games_names_the_tournament(stand_in: Server, bot: AbakBot, locale: str) -> None:
    event = Event.of(stand_in, bot, 2, locale=locale)
    ana, ben = event.people
    await event.create(plan_of(Format.SWISS, rounds=1, game="backgammon", terms=Terms(points=3)))
    await event.start()
    (stored,) = await event.opened(1)
    live = await event.game(stored)
    await event.games.resign(live.id, live.players[0], 1)  # the second game of the match belongs to it, too
    place = Place(stand_in.world.guild_id, event.organiser.channel_id)
    await event.games.open(NewGame("abalone", {}, place, "en"), (ana.user_id, ben.user_id))
    await ana.slash("abak games")
    lines = told(ana).splitlines()
    cup = language_for_locale(locale)("games.tournament", name="Cup")
    assert [cup in line for line in lines if "Backgammon" in line] == [True]
    assert [cup in line for line in lines if "Abalone" in line] == [False]
