"""The explorer over the socket: what was played, step by step and back, and what a player must not be shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import SPANISH, private, told
from harness.discord import Seat, buttons, components, menus, options
from harness.finished import STARTED, entries_of, row
from sqlalchemy import insert, update

from bot.explorer.service import ExplorerService
from bot.explorer.tables import uncounted_games
from bot.explorer.worker import MoveCounter
from bot.games.stored import Place
from bot.games.tables import entries, games
from engine.core.game import Outcome
from engine.registry import GAMES

if TYPE_CHECKING:
    from harness.bot import Room

    from bot.games.live import LiveGame

RESULTS = (1, 1, -1, 0, 1, -1, 1, 1, -1, 1, 1)


async def count_all(room: Room) -> None:
    assert room.bot is not None
    while await room.bot.service(ExplorerService).count_some():
        pass


async def played_before(room: Room, lines: list[tuple[str, ...]]) -> None:
    """Stores finished games of Abalone with these moves, with RESULTS in turn."""
    assert room.bot is not None
    world = room.server.world
    rows = [
        row(
            f"e{n}",
            (room.ana.user_id, room.ben.user_id),
            STARTED + n,
            guild_id=world.guild_id,
            channel_id=room.channel_id,
            points0=points,
            points1=-points,
        )
        for n, points in zip(range(len(lines)), RESULTS * 9, strict=False)
    ]
    async with room.bot.services.database.writing() as connection:
        await connection.execute(insert(games), rows)
        listed = [
            entry
            for game, moves in zip(rows, lines, strict=True)
            for entry in entries_of(game["id"], moves, game["points0"])
        ]
        await connection.execute(insert(entries), listed)
        await connection.execute(insert(uncounted_games), [{"game_id": game["id"]} for game in rows])
    await count_all(room)


def table(message: dict[str, Any]) -> list[str]:
    return str(message["content"]).split("```")[1].strip("\n").splitlines()


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_one_steps_into_moves_and_back(room: Room, locale: str) -> None:
    room.speak(locale)
    say = room.say
    await played_before(room, [("a1b1", "g5g4")] * 6 + [("a1b1", "g5f5")] * 2 + [("b1c1", "g5g4")] * 3)
    await room.ana.slash("abak explore", game="abalone")
    page = private(room.ana)
    assert told(room.ana).splitlines()[1] == say("explore.start")
    assert table(page) == ["    8  62%  12%  25%  a1b1", "    3  67%   0%  33%  b1c1"]
    assert say("explore.few") not in told(room.ana)
    assert page["attachments"]
    assert options(page) == ["a1b1", "b1c1"]
    await room.ana.choose("a1b1", message=page)
    assert table(room.ana.fresh(page)) == ["    6  50%  17%  33%  g5g4", "    2 100%   0%   0%  g5f5"]
    assert told(room.ana).splitlines()[1] == "-# `a1b1`"
    assert say("explore.few") in told(room.ana)
    await room.ana.choose("g5f5", message=page)
    assert say("explore.none") in told(room.ana)
    assert menus(room.ana.fresh(page)) == []
    for wanted in ("-# `a1b1`", say("explore.start")):
        await room.ana.press(say("explore.back"), page)
        assert told(room.ana).splitlines()[1] == wanted
    assert buttons(room.ana.fresh(page)) == {}


async def test_a_game_is_counted_soon_after_its_end_and_on_its_server_alone(room: Room) -> None:
    assert room.bot is not None
    live = await room.begin("backgammon", points=0)
    first = live.table.game.format(live.state, live.table.game.turns(live.state)[0][0])
    await room.type(live, first)
    live = await room.shown()
    await room.ben.slash("abak resign")
    await room.ben.press(room.say("button.resign"), private(room.ben))
    await room.shown()
    await room.bot.service(MoveCounter).run_once()
    await room.ana.slash("abak explore")  # the finished game of this channel: from its start
    page = private(room.ana)
    assert room.say("explore.roll") in told(room.ana)
    (roll,) = options(page)
    await room.ana.choose(roll, message=page)
    seat = live.seats_of(room.ben.user_id)[0]
    points = "+1.00" if seat == 1 else "\N{MINUS SIGN}1.00"
    assert table(room.ana.fresh(page)) == [f"    1 {'100%   0%   0%' if seat else '  0%   0% 100%'} {points}  {first}"]
    hall = room.server.world.add_channel("hall", room.server.world.add_guild("Other"))
    eve = Seat.join(room.server.world, "Eve", hall)
    await eve.slash("abak explore", game="backgammon")
    assert room.say("explore.none") in told(eve)


async def test_aborted_games_and_those_in_direct_messages_are_not_counted(room: Room) -> None:
    assert room.bot is not None
    running = await room.begin("abalone")
    explorer, database = room.bot.service(ExplorerService), room.bot.services.database

    def ended(reason: str, guild_id: int | None) -> LiveGame:
        table = replace(running.table, outcome=Outcome((0, 0), reason))
        return replace(running, table=table, place=Place(guild_id, 1), id=f"{reason[4:]}{guild_id}")

    drawn = ended("end.agreed", 1)
    changes = [(None, running), (running, ended("end.aborted", 1)), (running, ended("end.agreed", None))]
    async with database.writing() as connection:
        for before, after in [*changes, (running, drawn), (drawn, drawn)]:
            await explorer.on_commit(connection, before, after)
    async with database.reading() as connection:
        assert (await connection.execute(uncounted_games.select())).scalars().all() == ["agreed1"]


async def test_a_typed_position_is_found_by_its_text_in_any_game(room: Room) -> None:
    await played_before(room, [("a1b1", "g5g4")] * 2)
    game = GAMES["abalone"]
    state = game.replay_turn(game.start(game.settle_options({})), "a1b1")[1]
    for given in ({}, {"game": "abalone"}):
        await room.ana.slash("abak explore", position=game.encode(state), **given)
        page = private(room.ana)
        assert table(page) == ["    2 100%   0%   0%  g5g4"]
        await room.ana.choose("g5g4", message=page)
        assert told(room.ana).splitlines()[1] == f"-# `{game.encode(state)}` `g5g4`"
    await room.ana.slash("abak explore", position="not a position")
    assert told(room.ana) == room.say("explore.unreadable")
    await room.ana.slash("abak explore", game="apb", position=game.encode(state))
    assert not private(room.ana)["attachments"]


async def test_no_help_for_a_rated_game_that_one_plays(room: Room) -> None:
    """Neither by the channel, nor by stepping there, nor by typing; a spectator and the start are free."""
    assert room.bot is not None
    await played_before(room, [("a1b1", "g5g4", "a2b2")] * 2)
    live = await room.begin("abalone", rated=False)
    await room.type(live, "a1b1")
    await room.type(await room.shown(), "g5g4")
    live = await room.shown()
    eve = Seat.join(room.server.world, "Eve", room.channel_id)
    await room.ana.slash("abak explore")  # not rated: whoever plays may look
    assert table(private(room.ana)) == ["    2 100%   0%   0%  a2b2"]
    async with room.bot.services.database.writing() as connection:
        await connection.execute(update(games).where(games.c.id == live.id).values(rated=True))
    refusal = room.say("explore.running")
    await room.ana.slash("abak explore")
    assert told(room.ana) == refusal
    await room.ben.slash("abak explore", position=live.game.encode(live.state))
    assert told(room.ben) == refusal
    await room.ana.slash("abak explore", game="abalone")
    page = private(room.ana)
    assert len(table(page)) == 1
    await room.ana.choose("a1b1", message=page)
    await room.ana.choose("g5g4", message=page)
    assert told(room.ana) == refusal
    await eve.slash("abak explore")
    assert table(private(eve)) == ["    2 100%   0%   0%  a2b2"]
    assert any(":explore_back:" in x.get("custom_id", "") for x in components(private(eve)))
    await room.ana.slash("abak explore", game="backgammon")
    assert private(room.ana)["attachments"]
