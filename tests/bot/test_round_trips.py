"""Tests how often a move asks the database, and how often a command waits for PostgreSQL."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.bot import Room, bot_running, private, shows_board, told_all
from harness.discord import until
from harness.players import Greedy
from harness.proxy import proxied
from sqlalchemy import event

from bot.board.delivery.publisher import BoardPublisher
from bot.games.service import GameService
from bot.players.service import PreferenceService

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from harness.discord import Seat
    from harness.proxy import Proxy

    from bot.core.client import AbakBot
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

TYPED: Final = 1
STATEMENTS: Final = 10
"""The most statements of a typed move, besides BEGIN and COMMIT."""
FOUND: Final = 1
"""A picker names its game; a command has to find that of the channel."""
CLOCKED: Final = 1
"""With a clock it also asks for outages of the bot, in which the clock stood still."""
COMMITS: Final = 2
ANSWER: Final = 12
BOARD: Final = 16
END: Final = 24
"""The most round trips up to the board of a move that ends a rated game or match."""
NEXT_GAME: Final = END + 4
"""Up to the first board of the next game of a match, which follows the card of the game before."""
MOVES: Final = 6
PLAYERS: Final = 2
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "abalone": {},
    "apb": {},
    "backgammon": {"points": 3},
    "abak": {"time": "3d", "rated": True},
}
COMMIT: Final = "COMMIT"
CUBE: Final = frozenset({"roll", "double"})
"""Turns of players that move nothing: they are shown on the board that is there, or asked about."""
SHOWN: Final = frozenset({"message_create", "message_update", "message_delete"})
BY_TIME: Final = frozenset({"Worker._run", "BoardPublisher._repeat"})
"""The loops of the bot that work from time to time, whatever anybody plays."""
PREPARES: Final = "prepare "
QUIET: Final = 0.3
"""Seconds without a round trip after which nothing follows any more."""


@dataclass
class Counted:
    """The round trips up to each message that appears, whoever sees it.

    Without those that only prepare a statement: a connection does that once in its life, and which connection a move
    gets is chance. And without those of the loops BY_TIME, which are stopped: when they come has nothing to do with the
    move.
    """

    proxy: Proxy
    bot: AbakBot
    answer: int | None = None
    """Up to the first message that changes: an answer, the picker, or the board."""
    board: int | None = None
    _start: int = 0

    def begin(self) -> None:
        self._start, self.answer, self.board = len(self.proxy.statements), None, None

    @property
    def trips(self) -> list[list[str]]:
        """Returns the statements of each round trip."""
        done = self.proxy.statements[self._start :]
        return [asked for asked in done if not asked or not all(one.startswith(PREPARES) for one in asked)]

    def note(self, event: dict[str, Any]) -> None:
        """Counts up to what the stand-in shows."""
        if event["type"] not in SHOWN:
            return
        if self.answer is None:
            self.answer = len(self.trips)
        if event["type"] == "message_create" and "only" not in event and shows_board(event["message"]):
            self.board = len(self.trips)

    async def settled(self) -> None:
        """Waits until nothing is asked any more: a picture may take longer than QUIET, and its board asks after it."""
        asked = -1
        while asked != len(self.proxy.statements):
            await told_all(self.bot)
            await self.bot.service(BoardPublisher).idle()
            asked = len(self.proxy.statements)
            await asyncio.sleep(QUIET)


@asynccontextmanager
async def counted(
    server: Server, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Room, Counted]]:
    """Yields a room and its counters. The bot does nothing but what players cause."""
    monkeypatch.setattr("bot.core.processes.runner.POLL", 600.0)  # on a connection of its own, but through the proxy
    async with proxied(postgres_url) as (proxy, url), bot_running(server, url) as bot:
        counts = Counted(proxy, bot)
        await counts.settled()  # a loop that is stopped in a transaction would break its connection
        stop_loops()
        server.world.events.listeners.append(counts.note)
        yield Room.of(server, bot), counts


async def next_move(room: Room, player: Greedy) -> tuple[LiveGame, str]:
    """Rolls until a move is due, and returns the game and that move."""
    while True:
        live = await room.present()
        text = live.game.format(live.state, player.turn(live.game, live.state))
        if text not in CUBE:
            return live, text
        await room.type(live, "roll")
        await room.shown()


def stop_loops() -> None:
    """Stops all loops, so that the bot does nothing but what players cause."""
    stopped = [one for one in asyncio.all_tasks() if getattr(one.get_coro(), "__qualname__", "") in BY_TIME]
    assert stopped, "the loops have other names now"
    for task in stopped:
        task.cancel()


async def picked(room: Room, live: LiveGame, text: str) -> dict[str, Any]:
    """Taps a turn up to Confirm, and returns the picker."""
    assert room.bot is not None
    who = room.to_move(live)
    await room.bot.service(PreferenceService).set_user(who.user_id, "confirm", "always")
    await who.press("b:move:", room.board)
    picker = private(who)
    await room.tap_steps(live, picker, live.game.parse(live.state, text))
    return picker


async def send_off(who: Seat, text: str, picker: dict[str, Any] | None) -> None:
    """Plays a turn that is picked, or else types it."""
    if picker is not None:
        await who.press("b:confirm:", picker)
    else:
        await who.slash("abak move play", notation=text)


async def play(room: Room, live: LiveGame, text: str, counts: Counted, *, tapped: bool) -> None:
    """Plays a turn, and counts from what sends it off: the command, or Confirm."""
    picker = await picked(room, live, text) if tapped else None
    await counts.settled()  # also what the moves before have left
    counts.begin()
    await send_off(room.to_move(live), text, picker)
    await room.shown()


async def takes_a_few_statements(stand_in: Server, sqlite_url: str, game: str, *, tapped: bool) -> None:
    """Counts up to each board. Old boards leave later, many at once."""
    async with bot_running(stand_in, sqlite_url) as bot:
        room, player, moves = Room.of(stand_in, bot), Greedy(patience=MOVES), 0
        await room.begin(game, **OPTIONS[game])
        pool: Any = bot.services.database.engine.pool
        # a loop that is stopped in a transaction would break its connection
        await until(lambda: not pool.checkedout(), "no loop is in a transaction")
        stop_loops()
        while moves < MOVES:
            live, text = await next_move(room, player)
            who = room.to_move(live)
            picker = await picked(room, live, text) if tapped else None
            await told_all(bot)
            with asked(bot) as statements:
                await send_off(who, text, picker)
                await told_all(bot)
                await bot.service(BoardPublisher).wait_for_board(live.id, 30)
            moves += 1
            commits = [one for one in statements if one == COMMIT]
            begun = [one for one in statements if one.startswith("BEGIN")]
            limit = STATEMENTS - FOUND * tapped + CLOCKED * ("time" in OPTIONS[game])
            assert len(statements) - len(commits) - len(begun) <= limit, statements
            assert 0 < len(commits) <= COMMITS, statements


@pytest.mark.parametrize("game", OPTIONS)
async def test_a_typed_move_takes_a_few_statements_and_two_commits(
    stand_in: Server, sqlite_url: str, game: str
) -> None:
    await takes_a_few_statements(stand_in, sqlite_url, game, tapped=False)


@pytest.mark.parametrize("game", OPTIONS)
async def test_a_tapped_move_takes_no_more_from_confirm_on(stand_in: Server, sqlite_url: str, game: str) -> None:
    await takes_a_few_statements(stand_in, sqlite_url, game, tapped=True)


@contextmanager
def asked(bot: AbakBot) -> Iterator[list[str]]:
    """Yields all statements of the block, and COMMIT for each commit."""
    statements: list[str] = []

    def note(_: object, __: object, statement: str, *___: object) -> None:
        statements.append(statement)

    def committed(_: object) -> None:
        statements.append(COMMIT)

    engine = bot.service(GameService).repository.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    event.listen(engine, "commit", committed)
    yield statements
    event.remove(engine, "before_cursor_execute", note)
    event.remove(engine, "commit", committed)


@pytest.mark.parametrize("tapped", [False, True], ids=["typed", "tapped"])
@pytest.mark.parametrize("game", OPTIONS)
async def test_a_move_waits_for_the_database_a_few_times(
    stand_in: Server, postgres_url: str, game: str, *, tapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each move, not only most of them."""
    async with counted(stand_in, postgres_url, monkeypatch) as (room, counts):
        player, moves = Greedy(patience=MOVES), 0
        await room.begin(game, **OPTIONS[game])
        while moves < MOVES:
            live, text = await next_move(room, player)
            await play(room, live, text, counts, tapped=tapped)
            moves += 1
            assert counts.answer is not None
            assert counts.board is not None
            assert counts.answer <= ANSWER, counts.trips
            assert counts.board <= BOARD, counts.trips


@pytest.mark.parametrize(
    ("given", "most"),
    [({"rated": False}, BOARD), ({"rated": True, "time": "3d"}, END), ({"rated": True, "games": 3}, END)],
    ids=["casual", "rated", "a match"],
)
async def test_the_end_waits_little_more(
    stand_in: Server, postgres_url: str, given: dict[str, Any], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asks whether a tournament has the game. What is rated locks both players, and reads and writes ratings.

    A match is locked besides; between its games a card and the next board are shown. Else the board is the answer.
    """
    async with counted(stand_in, postgres_url, monkeypatch) as (room, counts):
        player, live = Greedy(), await room.begin("apb", **given)
        while not live.is_over:
            number = live.record.header.match_game
            await play(
                room, live, live.game.format(live.state, player.turn(live.game, live.state)), counts, tapped=False
            )
            live = await room.present()
            assert counts.answer is not None
            assert counts.board is not None
            goes_on = not live.is_over and live.record.header.match_game == number
            assert counts.answer <= (ANSWER if goes_on else most), counts.trips
            limit = most if live.is_over else BOARD if goes_on else NEXT_GAME
            assert counts.board <= limit, counts.trips


async def test_what_is_suggested_waits_for_the_database_once(
    stand_in: Server, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with counted(stand_in, postgres_url, monkeypatch) as (room, counts):
        live = await room.begin("abalone")
        for number, text in enumerate(("a1b2", "i5h5", "a2b3", "i6h6")):
            await counts.settled()
            counts.begin()
            assert await room.to_move(live).choices("abak move play", "notation", notation=text[:2])
            await counts.settled()
            if number >= PLAYERS:  # the first time, the language of who types is read and remembered
                assert len(counts.trips) <= TYPED, counts.trips
            await room.type(live, text)
            live = await room.shown()
