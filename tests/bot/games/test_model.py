"""Any course of clicks, by anyone, through one process or another: the service does what a model does."""

import asyncio
import shutil
import tempfile
from collections.abc import Awaitable
from pathlib import Path
from typing import Any, ClassVar

from fakes.clock import START, Clock, Names
from fakes.luck import SeededLuck
from fakes.toy import Nim
from fakes.unshown import unshown
from harness.examples import examples
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.core.storage.database import Database
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.repository import GameRepository
from bot.games.service import GameService
from bot.games.stored import Place
from engine.core.errors import RuleError
from engine.core.game import CHANCE
from engine.core.record import TURN_KINDS, Kind
from engine.core.rolls import verify
from engine.core.search import forced_turn
from engine.core.table import Table
from engine.registry import GAMES

ANN, BOB, EVE = 11, 22, 33
PLAYERS = (ANN, BOB)
users = st.sampled_from((ANN, BOB, EVE))
processes = st.integers(0, 1)


async def attempt(command: Awaitable[LiveGame]) -> LiveGame | RuleError:
    try:
        return await command
    except RuleError as error:
        return error


class Clicks(RuleBasedStateMachine):
    """The model is one table in memory, to which the engine alone is applied."""

    template: ClassVar[Path]

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = Clock()
        self.heard = 0
        self.shown = -1
        self.wishes = {ANN: True, BOB: True}

    @initialize(heap=st.integers(1, 30), dice=st.sampled_from(("yes", "no")), seed=st.integers(0, 99))
    def open(self, heap: int, dice: str, seed: int) -> None:
        path = Path(self.folder.name) / "games.sqlite3"
        shutil.copy(self.template, path)
        self.databases = [Database(f"sqlite:///{path}") for _ in range(2)]
        self.games = [
            GameService(
                GameRepository(database),
                SeededLuck(seed + number),
                self.clock,
                new_id=Names(),
                plays_forced=self.plays_forced,
            )
            for number, database in enumerate(self.databases)
        ]
        for games in self.games:
            games.subscribe(self.hear)
        options = {"heap": heap, "dice": dice}
        live = self.runner.run(self.games[0].open(NewGame("nim", options, Place(None, 5), "en"), PLAYERS))
        self.id, self.model = live.id, live.table

    async def plays_forced(self, user: int) -> bool:
        return self.wishes[user]

    def hear(self, _: LiveGame) -> None:
        self.heard += 1

    def expect(self, command: Any, table: Table[Any, Any] | None, key: str = "") -> None:
        """Expects the model's table (and whatever luck and compulsion add), or the model's refusal."""
        before = self.heard
        answer = self.runner.run(attempt(command))
        if isinstance(answer, RuleError):
            assert (table, answer.key, self.heard) == (None, key, before)
            return
        assert table is not None, key
        assert answer.table.record.entries[: table.seq] == table.record.entries
        added = answer.table.record.entries[table.seq :]
        assert {entry.kind for entry in added} <= {Kind.CHANCE, Kind.FORCED}
        assert all(self.wishes[PLAYERS[entry.seat]] for entry in added if entry.kind is Kind.FORCED)
        self.check_settled(answer.table)
        assert answer.table == Table.replay(answer.table.game, answer.table.record)
        assert self.heard == before + 1
        self.model = answer.table

    def check_settled(self, table: Table[Any, Any]) -> None:
        """Checks that nothing is left that would happen by itself."""
        assert table.to_act != CHANCE
        if table.to_act is not None and forced_turn(table.game, table.state) is not None:
            answers_first = table.offer is not None and table.offer.seat != table.to_act
            assert answers_first or not self.wishes[PLAYERS[table.to_act]]

    def wanted(self, user: int, process: int, seq: int | None, command: Any) -> tuple[Table[Any, Any] | None, str]:
        """Returns the model's table or refusal, in the order of the service's checks."""
        if user not in PLAYERS:
            return None, "table.not_a_player"
        if self.model.outcome is not None and self.knows(process, seq):
            return None, "table.over"
        if not self.knows(process, seq) or seq not in {None, self.model.seq}:
            return None, "table.stale"
        try:
            return command(PLAYERS.index(user), self.clock() - START), ""
        except RuleError as error:
            return None, error.key

    def knows(self, process: int, seq: int | None) -> bool:
        """Returns whether the process has the newest state in memory, or is about to: the player has seen more."""
        cached = self.games[process]._live_games.cached(self.id)
        return cached is None or cached.seq == self.model.seq or (seq is not None and seq > cached.seq)

    def asked(self, seat: int, what: str) -> Table[Any, Any]:
        """Asks the model, unless the same was declined or withdrawn since that seat's last turn. Raises RuleError."""
        entries = self.model.record.entries
        turns = [n for n, entry in enumerate(entries, 1) if entry.kind in TURN_KINDS and entry.seat == seat]
        vain = {(Kind.DECLINE, 1 - seat): "table.declined", (Kind.WITHDRAW, seat): "table.withdrawn"}
        since = [entry for entry in entries[max(turns, default=0) :] if entry.body == what]
        keys = [vain[entry.kind, entry.seat] for entry in since if (entry.kind, entry.seat) in vain]
        if keys and self.model.outcome is None:
            raise RuleError(keys[-1])
        return self.model

    def caught_up(self, process: int) -> None:
        """Brings a process up to date, as finding a game by its channel does."""
        self.runner.run(self.games[process].latest_at(5))

    @rule(user=users, process=processes, behind=st.integers(-1, 3), text=st.sampled_from(("1", "2", "3", "x")))
    def play(self, user: int, process: int, behind: int, text: str) -> None:
        self.caught_up(process)
        seq = self.model.seq - behind
        self.expect(
            self.games[process].play(self.id, user, seq, text),
            *self.wanted(user, process, seq, lambda seat, at: self.model.play(seat, text, at)),
        )

    @rule(process=processes, text=st.sampled_from(("1", "1", "2", "3")))
    def play_on(self, process: int, text: str) -> None:
        """Plays for the one to act, through a process that may not know of the last move."""
        seat = self.model.to_act
        user = PLAYERS[seat] if seat in {0, 1} else ANN
        if not self.knows(process, None):
            answer = self.runner.run(attempt(self.games[process].play(self.id, user, None, text)))
            assert isinstance(answer, RuleError)
            if answer.key == "table.stale":  # only the database told it, and now it knows
                assert self.knows(process, None)
            self.caught_up(process)
        self.expect(
            self.games[process].play(self.id, user, None, text),
            *self.wanted(user, process, None, lambda seat, at: self.model.play(seat, text, at)),
        )

    @rule(user=users, process=processes)
    def offer(self, user: int, process: int) -> None:
        self.caught_up(process)
        self.expect(
            self.games[process].offer(self.id, user, "draw"),
            *self.wanted(user, process, None, lambda seat, at: self.asked(seat, "draw").make_offer(seat, "draw", at)),
        )

    @rule(user=users, process=processes, behind=st.sampled_from((None, 0, 0, 1)))
    def ask_back(self, user: int, process: int, behind: int | None) -> None:
        self.caught_up(process)
        seq = None if behind is None else self.model.seq - behind
        self.expect(
            self.games[process].ask_back(self.id, user, seq=seq),
            *self.wanted(user, process, seq, lambda seat, at: self.asked(seat, "takeback").offer_takeback(seat, at)),
        )

    @rule(user=st.sampled_from(PLAYERS), wish=st.booleans())
    def choose(self, user: int, wish: bool) -> None:
        self.wishes[user] = wish

    @rule(user=users, process=processes, points=st.sampled_from((1, 1, 1, 2, 3)))
    def resign(self, user: int, process: int, points: int) -> None:
        self.caught_up(process)
        self.expect(
            self.games[process].resign(self.id, user, points),
            *self.wanted(
                user, process, None, lambda seat, at: self.asked(seat, f"resign {points}").resign(seat, points, at)
            ),
        )

    @precondition(lambda self: self.model.offer is not None)
    @rule(user=users, process=processes)
    def withdraw(self, user: int, process: int) -> None:
        self.caught_up(process)
        self.expect(
            self.games[process].withdraw(self.id, user),
            *self.wanted(user, process, None, self.model.withdraw),
        )

    @precondition(lambda self: self.model.offer is not None)
    @rule(user=users, process=processes, accept=st.booleans(), behind=st.sampled_from((None, 0, 0, 1)))
    def answer(self, user: int, process: int, accept: bool, behind: int | None) -> None:
        self.caught_up(process)
        seq = None if behind is None else self.model.seq - behind
        self.expect(
            self.games[process].answer(self.id, user, accept=accept, seq=seq),
            *self.wanted(user, process, seq, lambda seat, at: self.model.answer(seat, at, accept=accept)),
        )

    @rule(process=processes, behind=st.integers(0, 3))
    def show(self, process: int, behind: int) -> None:
        seq = max(self.model.seq - behind, -1)
        self.shown = max(self.shown, seq)
        self.runner.run(self.games[process].shown(self.id, seq, 1000 + seq))

    @rule(seconds=st.integers(-5, 100))
    def wait(self, seconds: int) -> None:
        self.clock.pass_seconds(max(seconds, 0))

    @invariant()
    def the_database_holds_the_model(self) -> None:
        if not hasattr(self, "model"):
            return
        stored = self.runner.run(self.games[1].repository.load(self.id))
        assert stored is not None
        assert stored.record == self.model.record
        assert stored.shown_seq == self.shown
        verify(self.model.game, self.model.record)
        assert self.runner.run(unshown(self.games[0].repository.database)) == (
            [self.id] if self.shown < self.model.seq else []
        )

    def teardown(self) -> None:
        for database in getattr(self, "databases", ()):
            self.runner.run(database.close())
        self.runner.close()
        self.folder.cleanup()


def test_any_course_of_clicks(sqlite_template: Path, nim: Nim) -> None:
    assert GAMES["nim"] is nim
    Clicks.template = sqlite_template
    case = Clicks.TestCase()
    case.settings = settings(
        examples(10),
        stateful_step_count=30,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    case.runTest()
