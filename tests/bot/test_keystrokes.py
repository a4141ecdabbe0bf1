"""A keystroke costs little, for every option with suggestions, with the worst that anybody can type.

The interactions go over the socket. What is counted are the calls of functions in all that the bot does with one: it
checks the options, makes the suggestions and answers. ``python -m benchmarks.keystrokes`` measures the time.
"""

from __future__ import annotations

import types
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.calls import KEYSTROKE, Calls
from harness.finished import row
from harness.thinning import in_number
from sqlalchemy import insert

from bot.core.client import AbakCommands
from bot.core.interactions import suggesting
from bot.core.interactions.command_texts import CHOICES, TEXT_LENGTH
from bot.games.tables import games
from bot.learn import commands
from bot.moves.suggestions import turns_with_texts
from bot.players.asker import language_of
from bot.players.tables import player_names
from bot.tournaments.chosen import SEARCHED
from bot.tournaments.rows import pairing_row, player_row
from bot.tournaments.service import TournamentService
from bot.tournaments.tables import tournament_pairings, tournament_players
from bot.tournaments.tournament import (
    NAME_LENGTH,
    PairingState,
    Plan,
    Player,
    PlayerStatus,
    Status,
    StoredPairing,
    Tournament,
)
from engine.registry import GAMES
from engine.tournament.model import Format, Pairing, Result, Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator, Iterator

    from harness.bot import Room
    from harness.discord import Seat
    from sqlalchemy.ext.asyncio import AsyncConnection

Json = dict[str, Any]
Option = tuple[str, str]
"""The whole name of a command, and one of its options."""
STARTED: Final = 1_800_000_000_000
PLAYERS: Final = 64
"""The number of players of a tournament whose games are suggested: 4,032 games, half of them over."""
ENTRANTS, ROUNDS = 512, 9
"""Of a large Swiss: 2,304 games, half of them over."""
NAMED: Final = 32
"""The most characters of a name that Discord takes."""
LONG_NAME: Final = "Player 18 ".ljust(NAMED, "é")
SUBCOMMAND, GROUP = 1, 2
HOSTILE: Final = (
    *("", "e4 " * 2_000, "a " * 3_000, "2 :weeks" * 700, "2 :weeks " * 700, "1d 2h " * 1_000, "9" * 6_000),
    *("a1-a2 " * 1_000, "3/" * 3_000, "(2)" * 2_000, "x" * 6_000, "Cup " * 1_500, "\u0390" * 6_000),
    "\u0301\u0316" * 3_000,
)
"""Texts that a client of somebody's own may send: nothing limits a text while it is typed. U+0390 is three characters
in lower case; the last one has accents out of their order.
"""
LONGEST: Final = tuple(text[:TEXT_LENGTH] for text in HOSTILE[1:])
"""The same, as long as most options may be when they are sent. Of the longer ones TYPED_LENGTH is read."""
NOT_ALWAYS: Final = (
    ("abak move play", "notation"),
    ("abak move conditional", "condition"),
    ("abak move conditional", "reply"),
    ("abak move conditional", "after"),
    ("abak challenge", "layout"),
    ("abak rules", "topic"),
    ("tournament join", "tournament"),
)
"""The options whose suggestions depend on the game, or on what the user may join."""


class Meter:
    """The calls that suggestions take in the event loop, in all the tasks that work on them."""

    def __init__(self) -> None:
        self.calls = Calls()
        self.failures: list[BaseException] = []

    async def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        try:
            return await self._steps(work)
        except BaseException as error:
            self.failures.append(error)
            raise

    @types.coroutine
    def _steps(self, work: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
        step: Callable[[], Any] = partial(work.send, None)
        while True:
            try:
                with self.calls.counting():
                    awaited = step()
            except StopIteration as ended:
                return ended.value
            try:
                step = partial(work.send, (yield awaited))
            except BaseException as error:  # noqa: BLE001  the work is canceled, for example: it is the work's matter
                step = partial(work.throw, error)


@pytest.fixture
def meter(monkeypatch: pytest.MonkeyPatch) -> Meter:
    measured, call, in_time = Meter(), AbakCommands._call, suggesting._in_time
    monkeypatch.setattr(AbakCommands, "_call", lambda tree, sent: measured.run(call(tree, sent)))
    monkeypatch.setattr(suggesting, "_in_time", lambda work, end: in_time(measured.run(work), end))
    return measured


def suggesting_options(registered: list[Json]) -> Iterator[Option]:
    """Yields every registered option with suggestions."""

    def walk(node: Json, path: str) -> Iterator[Option]:
        for option in node.get("options") or ():
            if option["type"] in {SUBCOMMAND, GROUP}:
                yield from walk(option, f"{path} {option['name']}")
            elif option.get("autocomplete"):
                yield path, option["name"]

    for command in registered:
        yield from walk(command, command["name"])


async def cost(meter: Meter, who: Seat, option: Option, typed: str, given: Json) -> tuple[int, int]:
    """Counts the calls that a keystroke takes, and the suggestions."""
    command, name = option
    turns_with_texts.cache_clear()
    meter.calls.number = 0
    found = await who.choices(command, name, **given | {name: typed})
    assert meter.calls.number
    assert not meter.failures
    assert len(found) <= CHOICES
    return meter.calls.number, len(found)


async def too_slow(meter: Meter, who: Seat, option: Option, given: Json) -> list[str]:
    """Returns the texts that take too long when they are typed into an option."""
    return [
        f"{option}: {taken} calls for {typed[:12]!r} ({len(typed)})"
        for typed in (*HOSTILE, *LONGEST)
        for taken, _ in (await cost(meter, who, option, typed, given),)
        if taken > KEYSTROKE
    ]


@dataclass
class Crowd:
    """A server in which everything that is suggested is there as often as a command looks for it."""

    room: Room
    cups: list[str]
    """The ids of tournaments with many games."""


async def crowded(room: Room) -> Crowd:
    """Stores Ana's games, some in other channels and some over, and tournaments with long names."""
    assert room.bot is not None
    world, services = room.server.world, room.bot.services
    for game in GAMES:
        await room.elsewhere(world.add_channel("x" * 90)).begin(game)
    over = [row(f"over{n}", (room.ana.user_id, room.ben.user_id), STARTED + n) for n in range(CHOICES)]
    async with services.database.writing() as connection:
        await connection.execute(insert(games), over)
    plan = Plan("abalone", (Stage(Format.ROUND_ROBIN),))
    first = Tournament("", world.guild_id, room.channel_id, room.ana.user_id, "", "en", plan, Status.RUNNING, STARTED)
    cups = [replace(first, id=f"cup{n}", name=f"Cup {n} ".ljust(NAME_LENGTH, "é"), shown=0) for n in range(SEARCHED)]
    repository = services[TournamentService].repository
    async with services.database.writing() as connection:
        for cup in cups:  # all of them shown, and nothing of them due: no worker does anything
            await repository.create(connection, cup)
        met = list(combinations(range(1, PLAYERS + 1), 2))
        await fill(connection, room, cups[0].id, PLAYERS, [met, met])
        met = [(number, number + 1) for number in range(1, ENTRANTS, 2)]
        await fill(connection, room, cups[1].id, ENTRANTS, [met] * ROUNDS)
    return Crowd(room, [cup.id for cup in cups[:2]])


async def fill(
    connection: AsyncConnection, room: Room, cup: str, players: int, rounds: list[list[tuple[int, int]]]
) -> None:
    """Enters Ana and many others with long names, and pairs them in each round: every second game is over."""
    users = [room.ana.user_id, *(room.ben.user_id + number * 1000 for number in range(2, players + 1))]
    entered = [Player(number, user, PlayerStatus.IN, 1500, STARTED) for number, user in enumerate(users, 1)]
    rows = [{"tournament_id": cup, **player_row(player)} for player in entered]
    await connection.execute(insert(tournament_players), rows)
    names = [
        {"user_id": user, "name": f"Player {number} ".ljust(NAMED, "é"), "seen": STARTED}
        for number, user in enumerate(users[1:], 2)
    ]
    await connection.execute(insert(player_names).prefix_with("OR IGNORE"), names)
    games = [
        {"tournament_id": cup, **pairing_row(stored(number, round_number, board, met))}
        for number, (round_number, board, met) in enumerate(
            ((number, board, met) for number, games in enumerate(rounds, 1) for board, met in enumerate(games, 1)), 1
        )
    ]
    await connection.execute(insert(tournament_pairings), games)


def stored(number: int, round_number: int, board: int, met: tuple[int, int]) -> StoredPairing:
    """Makes a pairing whose game is over, or one that the organiser must decide."""
    if (number + round_number) % 2:
        return StoredPairing(number, Pairing(1, round_number, board, *met), PairingState.LATE)
    over = Pairing(1, round_number, board, *met, result=Result.FIRST_WINS)
    return StoredPairing(number, over, PairingState.DONE, "organiser")


@in_number("every", 12, 1)
async def test_a_keystroke_costs_little_wherever_something_is_suggested(room: Room, meter: Meter, every: int) -> None:
    await crowded(room)
    slow: list[str] = []
    options = [one for one in suggesting_options(room.server.world.commands) if not is_of_cups(one)]
    for option in options[::every]:
        _, offered = await cost(meter, room.ana, option, "", {})
        assert offered or option in NOT_ALWAYS, option
        slow += await too_slow(meter, room.ana, option, {})
    assert slow == []


def is_of_cups(option: Option) -> bool:
    """Returns whether the option suggests the games of a tournament."""
    return option[0].startswith("tournament") and option[1] == "game"


@in_number("each", False, True)
async def test_a_keystroke_costs_little_among_thousands_of_games_of_a_tournament(
    room: Room, meter: Meter, *, each: bool
) -> None:
    """Whatever is typed: what is in all names, in some, in none; words and numbers. `each`: in either tournament."""
    crowd = await crowded(room)
    options = [option for option in suggesting_options(room.server.world.commands) if is_of_cups(option)]
    assert len(options) == 2
    slow: list[str] = []
    asked = list(product(options, crowd.cups)) if each else list(zip(options, crowd.cups, strict=True))
    for option, cup in asked:
        given = {"tournament": cup}
        for typed in ("", "player", "e", "7", "player 17 player 18", "round 1", "p l a y e r 1 2 3", LONG_NAME):
            taken, offered = await cost(meter, room.ana, option, typed, given)
            assert offered, (option, cup, typed)
            slow += [f"{option}: {taken} calls for {typed!r} in {cup}"] if taken > KEYSTROKE else []
        slow += await too_slow(meter, room.ana, option, given)
    assert slow == []


async def test_the_games_of_a_tournament_are_suggested_to_its_organisers_only(room: Room) -> None:
    crowd = await crowded(room)
    for option, cup in product(filter(is_of_cups, suggesting_options(room.server.world.commands)), crowd.cups):
        given = {option[1]: "", "tournament": cup}
        assert len(await room.ana.choices(*option, **given)) == CHOICES
        assert await room.ben.choices(*option, **given) == []


async def test_every_game_is_found_by_its_players_round_or_board(room: Room) -> None:
    crowd = await crowded(room)
    options = list(filter(is_of_cups, suggesting_options(room.server.world.commands)))

    async def found(typed: str, cup: str) -> list[str]:
        """Returns the suggestions for both acts: running games, then finished ones."""
        given = {"game": typed, "tournament": cup}
        return [one["name"] for option in options for one in await room.ana.choices(*option, **given)]

    (oldest,) = await found("player 57, PLAYER 62 · round 1,", crowd.cups[0])
    assert "Player 57 é" in oldest
    assert "Round 1, board" in oldest
    assert await found(oldest, crowd.cups[0]) == [oldest]
    named = await found(LONG_NAME, crowd.cups[0])
    assert len(named) == 2 * CHOICES
    assert all(LONG_NAME in one for one in named)
    assert len(await found("player 511", crowd.cups[1])) == ROUNDS
    assert sum("board 256" in one for one in await found("board 256", crowd.cups[1])) == ROUNDS
    assert await found("nobody", crowd.cups[1]) == []


@pytest.mark.parametrize("key", GAMES)
async def test_a_keystroke_costs_little_in_every_game(room: Room, meter: Meter, key: str) -> None:
    live = await room.begin(key)
    mover, other = room.to_move(live), room.other(live)
    offered = await other.choices("abak move conditional", "condition", condition="")
    condition = offered[0]["value"] if offered else ""
    slow: list[str] = []
    for option, who, given in (
        (("abak move play", "notation"), mover, {}),
        (("abak move conditional", "condition"), other, {}),
        (("abak move conditional", "reply"), other, {"condition": condition}),
        (("abak move conditional", "reply"), other, {"condition": "e4 " * 2_000}),
        (("abak move conditional", "after"), other, {}),
        (("abak challenge", "layout"), mover, {"game": key}),
        (("abak rules", "topic"), mover, {"game": key}),
    ):
        slow += await too_slow(meter, who, option, given)
    assert slow == []


async def test_a_slow_keystroke_is_noticed(room: Room, meter: Meter, monkeypatch: pytest.MonkeyPatch) -> None:
    async def slow(*given: Any) -> Any:
        for number in range(KEYSTROKE):
            abs(number)
        return await language_of(*given)

    option = ("abak rules", "topic")
    assert (await cost(meter, room.ana, option, "x", {}))[0] < KEYSTROKE
    monkeypatch.setattr(commands, "language_of", slow)
    assert (await cost(meter, room.ana, option, "x", {}))[0] > KEYSTROKE


async def test_suggestions_that_fail_are_no_quick_ones(
    room: Room, meter: Meter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "language_of", None)
    with pytest.raises(AssertionError):
        await cost(meter, room.ana, ("abak rules", "topic"), "x", {})
