"""The bot is killed between the last move of a game and the first roll of the next, again and again."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.books import Books, replayed
from harness.bot import Room, wired
from harness.discord import PATIENT, until
from harness.origins import is_of_game, shows
from harness.process import BotProcess
from harness.thinning import in_number

from bot.core.randomness import SystemLuck
from bot.core.storage.database import Database
from bot.games.new_game import NewGame
from bot.games.repository import GameRepository
from bot.games.service import GameService
from bot.games.stored import Place
from bot.matches.repository import MatchRepository
from bot.matches.service import MatchService
from bot.sandbox.errors import Refused, Timeout
from engine.core.chance import promise
from engine.core.record import Kind, Record
from engine.core.rolls import verify
from engine.match.match import Terms
from engine.match.record import MatchRecord, replay_match

if TYPE_CHECKING:
    from harness.process import Forks

    from bot.games.stored import StoredGame
    from bot.sandbox.server import Server

WITHIN: Final = 0.06
"""Seconds after the resignation in which the bot is killed."""
MOMENTS: Final = ("soon", "commit", "interaction", "message_create", "soon")


async def open_match(url: str, room: Room) -> str:
    """Opens a match to 25 points before the bot starts; returns its id."""
    database = Database(url)
    games = GameService(GameRepository(database), SystemLuck(), lambda: 1_800_000_000_000)
    matches = MatchService(MatchRepository(database), games)
    games.hooks = [matches]
    place = Place(room.server.world.guild_id, room.channel_id)
    players = (room.ana.user_id, room.ben.user_id)
    live = await matches.open(Terms(points=25), NewGame("backgammon", {"layout": "hyper"}, place, "en"), players)
    await database.close()
    return live.record.header.match


async def games_of(url: str, match_id: str, books: Books) -> list[StoredGame]:
    """Returns all games of the match, in order."""
    database = Database(url)
    found = await MatchService(MatchRepository(database), None).game_ids(match_id)  # type: ignore[arg-type]
    await database.close()
    return [await books.stored(game_id) for game_id in found]


async def offer_single(room: Room, present: StoredGame) -> Any:
    """Lets one player offer to lose a single game; returns who may accept."""
    who = random.Random(present.record.header.id).choice([room.ana, room.ben])
    await who.slash("abak resign")
    single = next(
        x for x in wired(who.last) if x["custom_id"].startswith("b:resign_for:") and x["custom_id"].endswith(":1")
    )
    await who.press(single["custom_id"], who.last)
    return room.ben if who is room.ana else room.ana


async def quiet(room: Room, books: Books) -> StoredGame:
    """Waits until the present game is shown; the game."""
    async with asyncio.timeout(PATIENT):
        while True:
            stored = await books.latest(room.channel_id)
            assert stored is not None
            board, entries = room.boards[-1:] and shows(room.boards[-1]), stored.record.entries
            offered = bool(entries) and entries[-1].kind is Kind.OFFER  # edits the board that was sent before
            sent = [(stored.record.header.id, len(entries) - edited) for edited in range(1 + offered)]
            if stored.shown_seq == len(entries) and board in sent:
                return stored
            await asyncio.sleep(0.01)


def check(room: Room, games: list[StoredGame], before: list[Record]) -> None:
    """Checks a quiet match: nothing of it is lost, doubled, or shown twice."""
    for stored, known in zip(games, before, strict=False):
        assert stored.record.entries[: len(known.entries)] == known.entries
    tables = [replayed(stored) for stored in games]
    assert [table.outcome is None for table in tables] == [False] * (len(tables) - 1) + [True]
    for number, (table, stored) in enumerate(zip(tables, games, strict=True)):
        verify(table.game, stored.record)
        if number:
            ended = games[number - 1]
            assert stored.record.header.commitment == promise(ended.secret)
            rolls = [entry for entry in ended.record.entries if entry.kind is Kind.CHANCE]
            assert rolls[-1].body.split(" ")[2] == stored.record.header.commitment
    sent = [shows(message) for message in room.boards]
    assert len(set(sent)) == len(sent)
    order = [stored.record.header.id for stored in games]
    places = [order.index(game) for game, _ in sent]
    assert places == sorted(places)
    assert set(places) == set(range(len(games)))
    for stored in games[:-1]:
        assert (stored.record.header.id, len(stored.record.entries)) in sent
    called = [shows(message) for _, message in room.pings if is_of_game(message)]
    assert len(set(called)) == len(called)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.xdist_group("kill")
@in_number("kills", 2, 20)
async def test_a_match_outlives_kills_between_its_games(
    stand_in: Server, sqlite_url: str, forks: Forks, kills: int
) -> None:
    rng, room = random.Random(3), Room.of(stand_in)
    match_id = await open_match(sqlite_url, room)
    known: list[Record] = []
    advanced = 0
    async with Books(sqlite_url) as books, BotProcess(stand_in, sqlite_url, forks) as process:
        await process.start()
        for number in range(kills):
            await process.ready()
            present = await quiet(room, books)
            games = await games_of(sqlite_url, match_id, books)
            check(room, games, known)
            known = [stored.record for stored in games]
            if present.record.entries[-1].kind is not Kind.OFFER:
                accepts = await offer_single(room, present)
                present = await quiet(room, books)
            else:
                accepts = room.seat_of(present.players[1 - present.record.entries[-1].seat])
            press = asyncio.create_task(accept(accepts, room))
            await kill_at(MOMENTS[number % len(MOMENTS)], process, room, books, present, rng.uniform(0, WITHIN))
            press.cancel()
            await asyncio.gather(press, return_exceptions=True)
            await books.end_leases()
            after = await games_of(sqlite_url, match_id, books)
            ended = [replayed(stored).outcome is not None for stored in after]
            assert ended == [True] * (len(after) - 1) + [False]  # never a moment without a running game
            advanced += len(after) - len(games)
            if number % 2:
                stand_in.world.messages.nonces.clear()  # Discord forgets them after some minutes
            await process.start()
        await process.ready()
        await quiet(room, books)
        games = await games_of(sqlite_url, match_id, books)
        check(room, games, known)
        await process.stop()
    assert kills // 8 <= advanced <= kills
    database = Database(sqlite_url)
    found = await MatchRepository(database).get(match_id)
    await database.close()
    assert found is not None
    record = MatchRecord(found.match.header, tuple(stored.record for stored in games))
    match, _ = replay_match(replayed(games[0]).game, record)
    assert match == found.match
    assert sum(match.score) == len(games) - 1


async def accept(who: Any, room: Room) -> None:
    with contextlib.suppress(Timeout, Refused):
        await who.press("b:accept:", room.board)


async def kill_at(
    moment: str, process: BotProcess, room: Room, books: Books, present: StoredGame, delay: float
) -> None:
    """Kills the bot at the moment; if it does not come, after a long wait."""
    world = process.world

    def strike(event: dict[str, Any]) -> None:
        answered = moment == "interaction" and event.get("state") == "answered"
        if event["type"] == moment and (answered or "only" not in event):
            process.strike()

    async def wait() -> None:
        if moment == "commit":
            while (await books.latest(room.channel_id) or present).record.header.id == present.record.header.id:  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        elif moment == "soon":
            await asyncio.sleep(delay)
        else:
            await until(lambda: process.dead, "it is killed")

    stop = world.subscribe(strike)
    with contextlib.suppress(TimeoutError, AssertionError):
        await asyncio.wait_for(wait(), PATIENT)
    stop()
    await process.kill()
