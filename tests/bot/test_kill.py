"""The bot is killed at any moment, again and again, and started anew: no move is lost, doubled or shown twice."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.books import Books, replayed
from harness.bot import Room, shows_board, wired
from harness.discord import is_ephemeral, text, until
from harness.origins import is_of_game, shows
from harness.players import Greedy
from harness.process import BotProcess, Forks, Starter, plainly
from harness.thinning import in_number, one_of

from bot.core.translations import language
from bot.sandbox.errors import Refused, Timeout
from engine.core.record import Kind
from engine.core.rolls import verify
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from bot.games.stored import StoredGame
    from bot.sandbox.server import Server
    from engine.core.record import Record

EN = language("en")
WITHIN: Final = 0.08
"""Seconds after the moves are sent in which the bot is killed."""
STARTING: Final = 0.5
"""Seconds in which a bot is killed while it starts and takes up what the one before left undone."""
EVENTS: Final = ("interaction", "message_create", "message_update")
"""When the stand-in has an answer, a board, the old board without its buttons; before the bot knows that it has."""
MOMENTS: Final = ("soon", *EVENTS, "commit", "between", "start")
NOT_PLAYED, NOT_SHOWN, NOT_NOTED, SHOWN = "not played", "played, not shown", "shown, not noted", "shown"
MORE: Final = 12
STRIP: Final = "strip"
EDIT: Final = "edit"


@dataclass
class Corner:
    """A channel with one game after another, and what its players have been promised."""

    room: Room
    game: str
    player: Greedy
    mode: str = STRIP
    """What becomes of the board before."""
    record: Record | None = None
    """As it was when all was quiet."""
    promised: str = ""
    """A turn that was acknowledged since."""
    tried: str = ""
    """A turn that was sent since."""
    played: int = 0
    ended: list[str] = field(default_factory=list)

    async def present(self, books: Books) -> StoredGame | None:
        return await books.latest(self.room.channel_id)

    async def act(self, books: Books) -> None:
        """The next thing that the two do: a turn, or a challenge, or accepting it. The bot may die over it."""
        stored = await self.present(books)
        with contextlib.suppress(Timeout, Refused):
            if stored is None or replayed(stored).outcome is not None:
                await self._begin()
                return
            table = replayed(stored)
            assert table.to_act is not None
            who = self.room.seat_of(stored.players[table.to_act])
            steps = self.player.turn(table.game, table.state)
            self.tried = table.game.format(table.state, steps)
            sent = await who.slash("abak move play", notation=self.tried)
            if sent.message is not None and "confirm" in verbs(sent.message):  # the turn loses the game
                sent = await who.press("b:confirm:", sent.message)
            # answered, and nothing is said beside the board
            assert sent.message is None or (shows_board(sent.message) and not is_ephemeral(sent.message))
            self.promised = self.tried

    async def _begin(self) -> None:
        room = self.room
        challenge = next((m for m in room.ben.messages[::-1] if "accept_challenge" in verbs(m)), None)
        if challenge is None:
            await room.challenge(self.game, **({"layout": "hyper"} if self.game == "backgammon" else {}))
        else:
            await room.ben.press("b:accept_challenge:", challenge)

    async def unshown(self, books: Books) -> bool:
        """Whether something was played that nobody was shown."""
        stored = await self.present(books)
        return stored is not None and stored.shown_seq < len(stored.record.entries)

    async def state(self, books: Books) -> str:
        """What had become of the last turn when the bot died."""
        stored = await self.present(books)
        if stored is None or not self.tried:
            return "no turn"
        table = replayed(stored)
        if self.record is not None and stored.record == self.record:
            return NOT_PLAYED
        if stored.shown_seq == table.seq:
            return SHOWN
        sent = [self.shows(message) for message in self.room.boards]
        return NOT_NOTED if (stored.record.header.id, table.seq) in sent else NOT_SHOWN

    async def check(self, books: Books) -> None:
        """What must hold once a bot has taken up what the one before left undone."""
        stored = await self.present(books)
        if stored is None:
            assert self.record is None
            return
        table = replayed(stored)
        self.check_record(stored)
        board = self.room.board
        assert self.shows(board) == (stored.record.header.id, table.seq)
        assert str(stored.message_id) == board["id"]
        sent = [shows(message) for message in self.room.boards]
        assert len(set(sent)) == len(sent)
        self.check_calls(stored)
        await self.check_passing(books)
        of_this_game = [m for m in self.room.boards if shows(m)[0] == stored.record.header.id]
        assert all(wired(message) == [] for message in of_this_game[:-1])
        assert self.mode == STRIP or len(of_this_game) == 1
        if table.outcome is None:
            assert EN("board.turn", player=f"<@{stored.players[table.to_act or 0]}>") in text(board)
            assert any(x["custom_id"].startswith("b:move:") for x in wired(board))
        else:
            verify(table.game, stored.record)
            if stored.record.header.id not in self.ended:
                self.ended.append(stored.record.header.id)
        self.record, self.promised, self.tried = stored.record, "", ""

    def check_record(self, stored: StoredGame) -> None:
        """Nothing that was written has changed; what was promised is there; nothing is there twice."""
        record, before = stored.record, self.record
        known = before.entries if before is not None and before.header == record.header else ()
        if before is not None and before.header != record.header:
            assert before.header.id in self.ended
        assert record.entries[: len(known)] == known
        added = [entry.body for entry in record.entries[len(known) :] if entry.kind is Kind.PLAY]
        assert added in ([], [self.tried])
        if self.promised:
            assert added == [self.promised]
        self.played += len(added)

    def shows(self, message: dict[str, Any]) -> tuple[str, int]:
        """What a board shows now: one that is changed in place tells it by its buttons."""
        if self.mode != EDIT or not wired(message):
            return shows(message)
        flip = next(x["custom_id"].split(":") for x in wired(message) if x["custom_id"].startswith("b:flip:"))
        return flip[2], int(flip[3])

    def check_calls(self, stored: StoredGame) -> None:
        """One call for each board, to the one whose turn it was."""
        table = replayed(stored)
        called = [(shows(message), user_id) for user_id, message in self.room.pings if is_of_game(message)]
        assert len({turn for turn, _ in called}) == len(called)
        if table.outcome is None:
            assert called[-1] == ((stored.record.header.id, table.seq), stored.players[table.to_act or 0])
        if self.mode == STRIP:
            self.check_boards(stored)

    async def check_passing(self, books: Books) -> None:
        """Every call beside a board that still stands is going to be removed."""
        standing = [m for m in self.room.ana.messages if not m["attachments"] and "move" in verbs(m)]
        assert self.mode == EDIT or standing == []
        assert {int(message["id"]) for message in standing} <= await books.passing()

    def check_boards(self, stored: StoredGame) -> None:
        """The same by the boards, which all stand still."""
        called: dict[str, list[int]] = {message["id"]: [] for message in self.room.boards}
        for user_id, message in self.room.pings:
            if shows_board(message):
                called[message["id"]].append(user_id)
        table = replayed(stored)
        for message in self.room.boards:
            game, seq = shows(message)
            over = table.outcome is not None and (game, seq) == (stored.record.header.id, table.seq)
            assert len(called[message["id"]]) == int(not over and (game, seq) not in self._ends())
        if table.outcome is None:
            assert called[self.room.board["id"]] == [stored.players[table.to_act or 0]]

    def _ends(self) -> list[tuple[str, int]]:
        """The last board of each game but the present one."""
        last: dict[str, int] = {}
        for message in self.room.boards:
            game, seq = shows(message)
            last[game] = max(seq, last.get(game, 0))
        return [(game, seq) for game, seq in last.items() if game in self.ended]


def verbs(message: dict[str, Any]) -> set[str]:
    """What can be done with a message's buttons."""
    return {x["custom_id"].split(":")[1] for x in wired(message)}


async def quiet(process: BotProcess, corners: list[Corner], books: Books) -> None:
    """Waits until the bot hears, and has shown all there is to show."""
    await process.ready()

    async def shown() -> bool:
        present = [await corner.present(books) for corner in corners]
        return all(stored is None or stored.shown_seq == len(stored.record.entries) for stored in present)

    await until(shown, "every board is shown")
    await books.end_leases()  # a board that was sent after a kill is not deleted for a minute
    await until(lambda: all(tidy(corner) for corner in corners), "the old boards are tidied")


def tidy(corner: Corner) -> bool:
    """Whether no board but a game's newest can be used."""
    boards = corner.room.boards
    newest = {shows(message)[0]: message["id"] for message in boards}
    return all(wired(message) == [] for message in boards if newest[shows(message)[0]] != message["id"])


async def until_moment(moment: str, process: BotProcess, corners: list[Corner], books: Books, delay: float) -> None:
    """Waits for the moment, and kills the bot in it; if it does not come, after a second."""
    world = process.world

    def strike(event: dict[str, Any]) -> None:
        answered = moment == "interaction" and event.get("state") == "answered"
        if event["type"] == moment and (answered or "only" not in event):
            process.strike()

    async def wait() -> None:
        if moment == "commit":
            while not [corner for corner in corners if await corner.unshown(books)]:  # noqa: ASYNC110
                await asyncio.sleep(0.002)
        elif moment in EVENTS:
            await until(lambda: process.dead, seconds=1)
        else:
            await asyncio.sleep(delay)

    stop = world.subscribe(strike)
    with contextlib.suppress(TimeoutError, AssertionError):
        await asyncio.wait_for(wait(), 1)
    stop()
    await process.kill()


async def until_state(state: str, process: BotProcess, corners: list[Corner], books: Books) -> None:
    """Waits until a turn has come to that state, and kills the bot in it."""
    stays = state in {NOT_SHOWN, SHOWN}
    known = {corner.shows(board) for corner in corners for board in corner.room.boards}

    def strike(event: dict[str, Any]) -> None:
        for corner in corners:
            if corner.tried and event.get("channel_id") == corner.room.channel_id:
                public = event["type"] in EVENTS[1:] and "only" not in event and shows_board(event["message"])
                is_shown = public and corner.shows(event["message"]) not in known
                if (state == NOT_NOTED and is_shown) or (state == NOT_PLAYED and event.get("state") == "sent"):
                    process.strike()

    for shows_it in ("/callback", "POST /channels", "PATCH /channels") if state == NOT_SHOWN else ():
        process.world.faults.fail_next(shows_it, status=429, retry_after=60, times=100)
    stop = process.world.subscribe(strike)

    async def has_come() -> bool:
        return process.dead or (stays and state in [await corner.state(books) for corner in corners])

    with contextlib.suppress(AssertionError):
        await until(has_come, "a turn has come to that state")
    stop()
    await process.kill()
    process.world.faults.clear()


def planned(moments: list[str], states: Collection[str], tally: Counter[str]) -> Iterator[str]:
    """The moments; then, up to MORE times, a state that none of the kills has met."""
    yield from moments
    for _ in range(MORE):
        if missing := [state for state in states if not tally[state]]:
            yield missing[0]


async def kill_and_go_on(
    server: Server,
    url: str,
    start: Starter,
    corners: list[Corner],
    *,
    kills: int,
    seed: int,
    order: signal.Signals = signal.SIGKILL,
    states: Collection[str] = (),
) -> Counter[str]:
    """Kills the bot so many times, and more if a state was not met; checks after each; what it had come to then."""
    rng = random.Random(seed)
    moments = [MOMENTS[number % len(MOMENTS)] for number in range(kills)]
    rng.shuffle(moments)
    tally: Counter[str] = Counter()
    async with Books(url) as books, BotProcess(server, url, start) as process:
        process.order = order
        await process.start()
        for number, moment in enumerate(planned(moments, states, tally)):
            if moment == "start":
                await asyncio.sleep(rng.uniform(0, STARTING))
                await process.kill()
            else:
                await quiet(process, corners, books)
                for corner in corners:
                    await corner.check(books)
                acts = [asyncio.create_task(corner.act(books)) for corner in corners]
                if moment == "between":
                    await asyncio.gather(*acts)
                    assert [corner.tried for corner in corners] == [corner.promised for corner in corners]
                if moment in states:
                    await until_state(moment, process, corners, books)
                else:
                    await until_moment(moment, process, corners, books, rng.uniform(0, WITHIN))
                for act in acts:
                    act.cancel()
                await asyncio.gather(*acts, return_exceptions=True)
                assert [act.exception() for act in acts if not act.cancelled() and act.exception()] == []
                tally.update([await corner.state(books) for corner in corners])
            await books.end_leases()
            if number % 2:
                server.world.messages.nonces.clear()  # Discord forgets them after some minutes
            await process.start()
        await quiet(process, corners, books)
        for corner in corners:
            await corner.check(books)
            await corner.act(books)
        await quiet(process, corners, books)
        for corner in corners:
            await corner.check(books)
        await process.stop()
    tally["turns"] = sum(corner.played for corner in corners)
    return tally


def corners_of(server: Server, games: list[str], mode: str = STRIP) -> list[Corner]:
    return [Corner(Room.of(server), game, Greedy(seed, patience=3), mode) for seed, game in enumerate(games)]


@pytest.mark.long
@pytest.mark.timeout(240)
@pytest.mark.xdist_group("kill")
@in_number("kills", 10, 8 * len(MOMENTS))
async def test_games_outlive_every_kill(stand_in: Server, sqlite_url: str, kills: int) -> None:
    corners = corners_of(stand_in, list(GAMES))
    states = (NOT_PLAYED, NOT_SHOWN, NOT_NOTED, SHOWN)
    async with Forks() as forks:
        tally = await kill_and_go_on(stand_in, sqlite_url, forks, corners, kills=kills, seed=1, states=states)
    assert tally["turns"] > kills
    assert min(tally[state] for state in states) > 0, tally
    assert all(corner.played for corner in corners)
    assert kills < 50 or any(corner.ended for corner in corners)


@pytest.mark.long
@pytest.mark.timeout(240)
@pytest.mark.xdist_group("kill")
@in_number("kills", 2, 2 * len(MOMENTS))
@one_of("mode", ["delete", EDIT])
async def test_games_outlive_kills_whatever_becomes_of_old_boards(
    stand_in: Server, sqlite_url: str, mode: str, kills: int
) -> None:
    corners = corners_of(stand_in, list(GAMES), mode)
    async with Books(sqlite_url) as books:
        await books.set_server(stand_in.world.guild_id, "old_board", mode)
    states = (NOT_PLAYED, NOT_SHOWN, NOT_NOTED)
    async with Forks() as forks:
        tally = await kill_and_go_on(stand_in, sqlite_url, forks, corners, kills=kills, seed=4, states=states)
    assert tally["turns"] > kills
    assert min(tally[state] for state in states) > 0, tally
    assert any(corner.played for corner in corners)
    assert kills < len(MOMENTS) or all(corner.played for corner in corners)


@pytest.mark.long
@pytest.mark.timeout(120)
@pytest.mark.xdist_group("kill")
async def test_games_outlive_kills_on_postgres(stand_in: Server, postgres_url: str) -> None:
    corners = corners_of(stand_in, ["backgammon", "apb"])
    async with Forks() as forks:
        tally = await kill_and_go_on(stand_in, postgres_url, forks, corners, kills=len(MOMENTS), seed=2)
    assert tally["turns"] > 0


@pytest.mark.long
@pytest.mark.timeout(120)
@pytest.mark.xdist_group("kill")
@in_number("kills", 3, len(MOMENTS))
async def test_the_bot_as_an_operator_starts_it_outlives_kills(stand_in: Server, sqlite_url: str, kills: int) -> None:
    corners = corners_of(stand_in, ["abak", "abalone"])
    tally = await kill_and_go_on(stand_in, sqlite_url, plainly, corners, kills=kills, seed=3)
    assert tally["turns"] > 0


@pytest.mark.long
@pytest.mark.timeout(180)
@pytest.mark.xdist_group("kill")
@in_number("orders", 2, 2 * len(MOMENTS))
async def test_games_outlive_every_order_to_stop(stand_in: Server, sqlite_url: str, orders: int) -> None:
    """What is under way is answered and shown, or is taken up by the next start."""
    corners = corners_of(stand_in, list(GAMES))
    async with Forks() as forks:
        tally = await kill_and_go_on(stand_in, sqlite_url, forks, corners, kills=orders, seed=5, order=signal.SIGTERM)
    assert tally["turns"] > orders
    assert all(corner.played for corner in corners)
