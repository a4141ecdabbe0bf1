"""Whole tournaments over the socket, from the announcement to the podium: players join, get their ping, and play.

Everything goes by buttons and commands. Final orders are computed here anew, by other means than the bot's.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import pytest
from harness.bot import Room, bot_running
from harness.cups import NAME, Cup
from harness.discord import text, until
from harness.players import Greedy
from harness.thinning import in_number
from harness.tournaments import plan_of

from bot.tournaments.tournament import PairingState
from engine.tournament.model import Format, Result, TieBreak

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from bot.core.client import AbakBot
    from bot.sandbox.server import Server
    from bot.tournaments.tournament import StoredPairing, TournamentSnapshot

HYPER: Final = {"layout": "hyper"}
TURNS: Final = 2
"""How many turns are played by taps before somebody resigns."""
TAPPED: Final = 3
"""One game in so many is played by taps; in the others, somebody resigns at once."""
MOST_TURNS: Final = 300
ARENA: Final = 30_000
"""How long the arena lasts, in ms."""


@pytest.fixture
async def bot(stand_in: Server, sqlite_url: str) -> AsyncIterator[AbakBot]:
    async with bot_running(stand_in, sqlite_url) as running:
        yield running


@dataclass
class Field:
    """The players of a tournament, who play each game as soon as both have been pinged for it."""

    cup: Cup
    rng: random.Random
    seen: set[int] = field(default_factory=set)
    """The ids of the pairings that are played or being played."""
    to_the_end: int = 1
    """How many more games are played to their end by taps."""
    strongest: float = 0.5
    """How often the player with the lower number wins, where somebody resigns."""
    ended: int = 0
    """How many games were played to their end."""
    turns: int = 0
    """How many turns were played by taps."""

    async def play(self, seconds: float) -> TournamentSnapshot:
        """Plays until the tournament is over and everything shows it."""
        going: list[asyncio.Task[None]] = []

        async def over() -> bool:
            snapshot = await self.cup.snapshot()
            for stored in snapshot.pairings:
                if stored.state is PairingState.RUNNING and stored.id not in self.seen:
                    self.seen.add(stored.id)
                    going.append(asyncio.create_task(self.game(stored, snapshot)))
            for task in going:
                if task.done():
                    task.result()
            return await self.cup.is_quiet()

        await until(over, "the tournament is over", seconds=seconds)
        await asyncio.gather(*going)
        return await self.cup.snapshot()

    async def game(self, stored: StoredPairing, snapshot: TournamentSnapshot) -> None:
        """Plays one game."""
        cup, thread = self.cup, stored.channel_id or 0
        players = [cup.seat(snapshot, number).at(thread) for number in stored.pairing.players]
        await until(lambda: cup.board(stored) is not None, "the board is shown")
        for seat in players:
            await until(lambda seat=seat: self.told(seat.user_id, thread), "they are pinged")
        whole_game = self.to_the_end > 0
        self.to_the_end -= whole_game
        if whole_game or self.rng.randrange(TAPPED) == 0:
            room = Room(cup.server, *players, cup.bot)
            if await self.taps(room, MOST_TURNS if whole_game else TURNS):
                self.ended += 1
                return
        loser = max(stored.pairing.players) if self.rng.random() < self.strongest else min(stored.pairing.players)
        await cup.give_up(stored, snapshot, loser)

    async def taps(self, room: Room, most: int) -> bool:
        """Plays turns by the buttons of the board. True if the game is over."""
        player = Greedy(self.rng.randrange(1000))
        for _ in range(most):
            live = await room.shown()
            if live.table.outcome is not None:
                return True
            await room.tap(live, player.turn(live.table.game, live.table.state))
            self.turns += 1
        await room.shown()
        return False

    def told(self, user_id: int, thread: int) -> list[str]:
        """Returns the messages that told a user to play in that thread."""
        pinged = (message for user, message in self.cup.server.world.events.notifications if user == user_id)
        return [text(one) for one in pinged if "you play" in text(one) and f"<#{thread}>" in text(one)]


def check_pings(players: Field, snapshot: TournamentSnapshot) -> None:
    """Checks for one ping for each player and game, and no other but of boards after a turn."""
    world = players.cup.server.world
    threads = {one.channel_id or 0: one for one in snapshot.pairings if one.pairing.second is not None}
    for stored in threads.values():
        for number in stored.pairing.players:
            user_id = snapshot.player(number).user_id
            assert len(players.told(user_id, stored.channel_id or 0)) == 1, f"pairing {stored.id}, player {number}"
    for _, message in world.events.notifications:
        of_turn = message["attachments"] and not message["nonce"].endswith(":0")
        assert "you play" in text(message) or (of_turn and int(message["channel_id"]) in threads), text(message)


def check_channel(cup: Cup, snapshot: TournamentSnapshot) -> None:
    """Checks for one announcement, one message a round, and one podium with the first three in order."""
    assert len(cup.announcements()) == 1
    numbers = {stored.pairing.round for stored in snapshot.pairings}
    for number in numbers:
        title = f"**{NAME} · Round {number}**" if number else f"**{NAME} · Games**"
        assert len(cup.said(title)) == 1, title
    (podium,) = cup.said(f"🏆 **{NAME} is over**")
    first = sorted((player.first_place or 0, player.user_id) for player in snapshot.players)[:3]
    named = [text(podium).find(f"<@{user_id}>") for _, user_id in first]
    assert -1 not in named
    assert named[0] == min(named)
    assert podium["mentions"] == []
    assert len(podium["attachments"]) == 1


def order(snapshot: TournamentSnapshot) -> list[tuple[int, int]]:
    """Returns the final order: place and number."""
    return sorted((player.first_place or 0, player.number) for player in snapshot.players)


def ranked(keys: dict[int, tuple[float, ...]]) -> list[tuple[int, int]]:
    """Ranks the players by a key, the highest first; equals share a place. Returns places and numbers."""
    return sorted((1 + sum(other > key for other in keys.values()), number) for number, key in keys.items())


POINTS: Final = {Result.FIRST_WINS: (1.0, 0.0), Result.SECOND_WINS: (0.0, 1.0), Result.DRAW: (0.5, 0.5)}


def games_of(snapshot: TournamentSnapshot) -> list[tuple[int, int, float, float]]:
    """Returns each game in order: the two, and their points."""
    return [
        (one.pairing.first, one.pairing.second or 0, *POINTS[one.result or Result.DRAW])
        for one in snapshot.pairings
        if one.pairing.second is not None
    ]


# --- a Swiss ---------------------------------------------------------------------------------------------------------


def swiss_order(snapshot: TournamentSnapshot) -> list[tuple[int, int]]:
    """Returns the order by points, Buchholz, Sonneborn-Berger, then seed; there were no unplayed games."""
    points: Counter[int] = Counter()
    against: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for first, second, won, lost in games_of(snapshot):
        points[first] += won  # type: ignore[assignment]
        points[second] += lost  # type: ignore[assignment]
        against[first].append((second, won))
        against[second].append((first, lost))
    return ranked(
        {
            player.number: (
                points[player.number],
                sum(points[other] for other, _ in against[player.number]),
                sum(points[other] * got for other, got in against[player.number]),
                -player.seed,
            )
            for player in snapshot.players
        }
    )


@pytest.mark.long
@pytest.mark.timeout(300)
@in_number("size", (6, 2), (16, 5))
async def test_a_swiss_from_the_announcement_to_the_podium(
    cups: Callable[..., Cup], bot: AbakBot, sqlite_url: str, size: tuple[int, int]
) -> None:
    players, rounds = size
    cup = cups(sqlite_url, players, bot)
    tie_breaks = (TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER)
    plan = plan_of(Format.SWISS, rounds=rounds, tie_breaks=tie_breaks, game="backgammon", options=HYPER)
    await cup.create(plan, joined=False)
    await cup.join_by_button()
    await cup.start()
    field_ = Field(cup, random.Random(1))
    snapshot = await field_.play(seconds=240)
    assert field_.ended > 0
    assert len(games_of(snapshot)) == players // 2 * rounds
    cup.check_pairings(snapshot, rounds)
    check_pings(field_, snapshot)
    check_channel(cup, snapshot)
    assert order(snapshot) == swiss_order(snapshot)


# --- a double elimination --------------------------------------------------------------------------------------------


def double_elimination_order(snapshot: TournamentSnapshot) -> list[tuple[int, int]]:
    """Ranks by the second loss: the later, the better; players who go out in the same round share the place."""
    losses: Counter[int] = Counter()
    out: dict[int, int] = {}
    for one in snapshot.pairings:
        if one.pairing.second is None or one.result is Result.DRAW:
            continue
        loser = one.pairing.second if one.result is Result.FIRST_WINS else one.pairing.first
        losses[loser] += 1
        if losses[loser] == 2:
            out[loser] = one.pairing.round
    return ranked({player.number: (out.get(player.number, 10_000),) for player in snapshot.players})


@pytest.mark.thorough
@pytest.mark.long
@pytest.mark.timeout(300)
async def test_a_double_elimination_to_the_podium(cups: Callable[..., Cup], bot: AbakBot, sqlite_url: str) -> None:
    cup = cups(sqlite_url, 8, bot)
    await cup.create(plan_of(Format.DOUBLE_ELIMINATION, game="backgammon", options=HYPER), joined=False)
    await cup.join_by_button()
    await cup.start()
    field_ = Field(cup, random.Random(2))
    snapshot = await field_.play(seconds=240)
    assert len(games_of(snapshot)) in {14, 15}
    lost = Counter(one[1] if one[2] else one[0] for one in games_of(snapshot))
    assert sorted(lost[player.number] for player in snapshot.players)[1:] == [2] * 7
    check_pings(field_, snapshot)
    check_channel(cup, snapshot)
    assert order(snapshot) == double_elimination_order(snapshot)


# --- an arena --------------------------------------------------------------------------------------------------------


def arena_order(snapshot: TournamentSnapshot) -> list[tuple[int, int]]:
    """Two points a win, from the third in a row on four. Then more wins, then fewer games. Equals share a place."""
    won: dict[int, str] = {player.number: "" for player in snapshot.players}
    for first, second, points, _ in games_of(snapshot):
        won[first] += "w" if points else "l"
        won[second] += "l" if points else "w"
    return ranked(
        {
            player.number: (
                sum(4 if run.endswith("www") else 2 for run in prefixes(won[player.number]) if run.endswith("w")),
                won[player.number].count("w"),
                -len(won[player.number]),
            )
            for player in snapshot.players
        }
    )


def prefixes(word: str) -> list[str]:
    """Returns every beginning of it that is not empty."""
    return [word[:end] for end in range(1, len(word) + 1)]


@pytest.mark.thorough
@pytest.mark.long
@pytest.mark.timeout(300)
async def test_an_arena_to_the_podium(cups: Callable[..., Cup], bot: AbakBot, sqlite_url: str) -> None:
    cup = cups(sqlite_url, 6, bot)
    await cup.create(plan_of(Format.ARENA, game="backgammon", options=HYPER, arena=ARENA), joined=False)
    await cup.join_by_button()
    await cup.start()
    field_ = Field(cup, random.Random(3), to_the_end=0, strongest=0.8)
    snapshot = await field_.play(seconds=240)
    assert snapshot.tournament.started is not None
    assert snapshot.tournament.ended is not None
    assert snapshot.tournament.ended >= snapshot.tournament.started + ARENA
    played = Counter(number for one in games_of(snapshot) for number in one[:2])
    assert min(played[player.number] for player in snapshot.players) >= 2
    for player in snapshot.players:  # nobody plays two games at a time
        mine = [one for one in snapshot.pairings if player.number in one.pairing.players]
        assert all((one.ended or 0) <= (after.opened or 0) for one, after in itertools.pairwise(mine))
    check_pings(field_, snapshot)
    check_channel(cup, snapshot)
    assert order(snapshot) == arena_order(snapshot)
