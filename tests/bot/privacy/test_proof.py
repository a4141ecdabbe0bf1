"""A deleted user is found nowhere: in no column of any table, no byte of SQLite's files, no line of the logs."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import structlog
from fakes.luck import SeededLuck
from harness.bot import TOKEN, Room, milliseconds, private, told, told_all
from harness.discord import Seat, text, until
from sqlalchemy import inspect, literal_column, select, table
from sqlalchemy.engine import make_url

from bot import app, logs
from bot.board.delivery.publisher import BoardPublisher
from bot.conditional.service import ConditionalMoveService
from bot.core.personal_data import PersonalDataCatalogue
from bot.core.services import Sources
from bot.core.translations import language
from bot.dice.service import DiceService
from bot.exchange.service import ExchangeService
from bot.games.service import GameService
from bot.learn.service import LearningService
from bot.notifications.dispatcher import NotificationDispatcher
from bot.privacy.export.service import ExportService
from bot.settings import Settings
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Plan, Player, PlayerStatus, Status
from engine.tournament.model import Format, Stage

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.core.storage.database import Database
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

EN: Final = language("en")
NAME: Final = "Zebedeia Quux"


async def everything(database: Database) -> dict[str, str]:
    """Returns every value of every column of every table in the database, declared or not, as text."""
    async with database.reading() as connection:
        tables = await connection.run_sync(lambda synchronous: inspect(synchronous).get_table_names())
        assert len(tables) > 15
        return {
            name: str((await connection.execute(select(literal_column("*")).select_from(table(name)))).all())
            for name in tables
        }


def in_files(database: Database, *wanted: bytes) -> list[bytes]:
    """Returns the wanted bytes that are in SQLite's file or its write-ahead log."""
    path = make_url(database.url).database or ""
    stored = b"".join(Path(f"{path}{end}").read_bytes() for end in ("", "-wal") if Path(f"{path}{end}").exists())
    return [one for one in wanted if one in stored]


async def play_out(room: Room, who: Seat, turns: int) -> None:
    """Turns by commands; then ``who`` resigns."""
    for _ in range(turns):
        live = await room.present()
        await room.type(live, live.game.format(live.state, [live.game.legal(live.state)[0]]))
    await who.slash("abak resign")
    await who.press("b:resign_for:", private(who))
    await room.shown()


def whole_turn(live: LiveGame) -> list[Any]:
    """Returns the first legal turn, step by step."""
    state, steps, seat = live.state, [], live.seat_to_act
    while live.game.to_act(state) == seat:
        steps.append(live.game.legal(state)[0])
        state = live.game.apply(state, steps[-1])
    return steps


async def do_everything(room: Room, bot: AbakBot, zed: Seat, ana: Seat) -> None:
    """Does everything by which a user can leave data behind, including acts that fail."""
    services, world = bot.services, room.server.world
    await zed.slash("abak settings")
    await zed.choose("slate", menu="m:set_user:me:0:theme", message=private(zed))
    await zed.press("b:page_user:me:0:time", private(zed))
    form = await zed.press("b:ask_user:me:0:time", private(zed))
    await zed.submit(form, {"zone": "Europe/Madrid", "rest": "02:00-03:00"})
    await zed.slash("abak vacation")
    await zed.choose("3", menu="m:vacation_from_now:", message=private(zed))
    await zed.press("b:vacation_take:", private(zed))
    await services[LearningService].complete(zed.user_id, "abalone", "first")
    # a rated game that is lost, and its rematch with an offer, a wrong move and conditional moves
    await room.begin("abalone", time="1d/move", rated=True)
    await play_out(room, zed, 5)
    await zed.slash("abak profile")
    await zed.slash("abak top")
    await zed.slash("abak replay")
    await zed.press("b:record:", private(zed))
    live = await room.begin("abalone", time="1d/move")
    await room.type(live, "zz")
    await zed.slash("abak draw")
    await zed.press("b:draw:", private(zed))
    await room.shown()
    await ana.press("b:decline:", room.board)
    live = await room.shown()
    other = zed if live.awaited == ana.user_id else ana
    condition = live.game.format(live.state, [live.game.legal(live.state)[0]])
    await services[ConditionalMoveService].add_condition(live, other.user_id, None, condition)
    # a match with dice: its first game is lost, and the second one runs
    dice = room.elsewhere(world.add_channel("dice"))
    first = await dice.begin("backgammon", points=3, time="1d/move")
    for _ in range(3):
        steps = whole_turn(first)
        first = await services[GameService].play(first.id, first.to_act or 0, None, steps)
    gammon = first.game.resign_values(first.state, first.players.index(zed.user_id))[-1]
    await services[GameService].resign(first.id, zed.user_id, min(gammon, 2))
    if not (await dice.present()).record.header.match_game > 1:
        await services[GameService].answer(first.id, ana.user_id, accept=True)
    await dice.shown()
    for who in (zed, ana):
        await services[ExchangeService].open_game(who.user_id, await services[GameService].get(first.id), (NAME, "Ana"))
    await services[DiceService].count_finished()
    # a game in a place that is taken away: its notifications go to direct messages
    elsewhere = room.elsewhere(world.add_channel("elsewhere"))
    await elsewhere.begin("apb")
    world.delete_channel(elsewhere.channel_id)
    await bot.service(NotificationDispatcher).turn()
    await play_tournaments(room, bot, zed, ana)
    # challenges of both kinds, and one to anybody
    third = room.elsewhere(world.add_channel("third"))
    await third.challenge("apb")
    await third.challenge("apb", opponent=None)
    await third.ben.slash("abak challenge", opponent=third.ana, game="abalone")
    # an error of ours whose text holds the id and the name
    broken, service = services[GameService].of, services[GameService]

    async def fail(user_id: int) -> Any:
        raise ValueError(f"nothing for {user_id}")

    service.of = fail  # type: ignore[method-assign]
    await zed.slash("abak games")
    assert told(zed) == EN("error.ours")
    service.of = broken  # type: ignore[method-assign]
    await zed.slash("abak data")
    await zed.press("b:data_export:", private(zed))
    await told_all(bot)


async def play_tournaments(room: Room, bot: AbakBot, zed: Seat, ana: Seat) -> None:
    """Stores a tournament of hers that runs with her in it, and one of Ana's whose log names her as assistant."""
    service, organiser, world = bot.service(TournamentService), bot.service(OrganiserService), room.server.world
    plan = Plan("abalone", (Stage(Format.SWISS, rounds=2),))
    for owner, other in ((zed, ana), (ana, zed)):
        channel = world.add_channel("cup")
        made = await service.create(world.guild_id, channel, owner.user_id, "Cup", "en", plan, Status.REGISTRATION)
        async with service.changing(made.id) as change:
            for number, seat in enumerate((owner, other), 1):
                await change.add_player(Player(number, seat.user_id, PlayerStatus.IN, 1500, number))
        await organiser.appoint(made.id, By(owner.user_id, "A friend.", 0), other.user_id, adds=True)
        await organiser.pause(made.id, By(other.user_id, "Tea.", 9))
        await organiser.resume(made.id, By(owner.user_id, "Enough.", 9))
        await organiser.expel(made.id, By(owner.user_id, "Rude.", 9), 2)
        await organiser.undo(made.id, By(owner.user_id, "Sorry.", 9))
        if owner is zed:
            await bot.service(RoundService).start(made.id, zed.user_id)

            async def opened(tournament_id: str = made.id) -> bool:
                return any(one.contest_id for one in (await service.snapshot(tournament_id)).pairings)

            await until(opened, "the game of the round is opened")


@pytest.mark.parametrize("log_format", ["json"])
async def test_nothing_is_left(stand_in: Server, database_url: str, log_format: str) -> None:
    stream = io.StringIO()
    settings = Settings.load(
        discord_token=TOKEN,
        discord_api_base=stand_in.api_base,
        discord_gateway_url=stand_in.gateway_url,
        database_url=database_url,
        log_format=log_format,
        log_level="DEBUG",
        rate_limits=False,
    )
    logs.configure(settings, stream)
    structlog.configure(cache_logger_on_first_use=False)  # else every later test in this process logs here
    async with app.running(settings, Sources(SeededLuck(1), lambda: 0, milliseconds)) as bot:
        await until(bot.is_ready, "the bot is ready")
        world = stand_in.world
        channel = world.add_channel("games")
        zed, ana = Seat.join(world, NAME, channel), Seat.join(world, "Ana", channel)
        room = Room(stand_in, zed, ana, bot)
        await do_everything(room, bot, zed, ana)
        database, id_ = bot.services.database, str(zed.user_id)
        # the test would prove nothing about a table in which they never stood
        stored = await bot.service(ExportService).counts(zed.user_id)
        tables = {data.name for data in bot.service(PersonalDataCatalogue).of_users}
        assert tables - stored.keys() == set(), "let do_everything() leave something in these tables, too"
        before = await everything(database)
        assert {name for name, values in before.items() if id_ in values} >= tables
        assert NAME in before["player_names"]
        running = await bot.service(GameService).of(zed.user_id)
        assert len(running) == 4

        await zed.slash("abak data")
        await zed.press("b:data_delete:", private(zed))
        opened = await zed.press("b:data_ask:", private(zed))
        await zed.submit(opened, {"word": "delete"})
        assert told(zed) == EN("data.deleted")
        await told_all(bot)
        await bot.service(BoardPublisher).idle()
        await bot.service(NotificationDispatcher).turn()

        left = {
            name: values for name, values in (await everything(database)).items() if id_ in values or NAME in values
        }
        assert left == {}
        if database.engine.dialect.name == "sqlite":
            assert in_files(database, zed.user_id.to_bytes(8, "big"), id_.encode(), NAME.encode()) == []
        assert await bot.service(ExportService).counts(zed.user_id) == {}
        # the opponent keeps the games, is told how they ended, and sees a former player
        assert "a former player" in text(room.board)
        assert id_ not in text(room.board)
        assert len(await bot.service(GameService).recent(ana.user_id, 9)) == 6
        await ana.slash("abak replay")
        assert "a former player" in told(ana)
        told_privately = [text(message) for message in ana.direct().messages]
        assert any(
            EN("notification.left_aborted", game="APB", link="|").split("|")[0] in line for line in told_privately
        )
        assert not any(id_ in line for line in told_privately[-2:])
    logged = stream.getvalue()
    assert "nothing for id#" in logged
    assert [line for line in logged.splitlines() if id_ in line or NAME in line] == []
    assert len([line for line in logged.splitlines() if json.loads(line)["level"] in {"error", "critical"}]) == 1
