"""A game in play. A command returns a new table with one more entry, or raises."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic

from engine.core import adjudication, replay, snapshot, timekeeping
from engine.core.clock import LAG, Away, Clock, duration
from engine.core.errors import Refused, RuleError
from engine.core.game import CHANCE, A, Game, Note, Outcome, S, Seat
from engine.core.hours import Interval
from engine.core.log import Log
from engine.core.offers import MATCH, canonical
from engine.core.progress import Offer, Played, Progress, Resuming
from engine.core.record import TURN_KINDS, Entries, Entry, Header, Kind, Record
from engine.core.search import forced_turn
from engine.core.takeback import TAKEBACK, require_takeback_index

NOTHING: Final[Log[Any]] = Log()


@dataclass(frozen=True, slots=True)
class Table(Generic[S, A]):
    """A game's record and everything that follows from it.

    ``seq`` is the number of entries, and so the table's version.
    """

    game: Game[S, A]
    record: Record
    state: S
    history: Sequence[S] = NOTHING
    """The positions at the start of each turn so far; empty for a game that does not need them (``keeps_history``)."""
    last_turn: Played[S, A] | None = None
    last_move: Played[S, A] | None = None
    """The last turn that changed something on the board (see ``Game.changes_board``)."""
    outcome: Outcome | None = None
    offer: Offer | None = None
    effective_entries: Entries = NOTHING
    """The entries that led to the position: all turns and rolls that were not taken back."""
    clock: Clock | None = None
    paused: bool = False
    """Paused by agreement: the clock is stopped."""
    away: Away = ((), ())
    """Each seat's vacations; ``credits`` has the bot's outages.

    Both are empty if there is a clock, as the clock has them.
    """
    credits: tuple[Interval, ...] = ()
    overdue: Seat | None = None
    """The seat whose time is up, if the other may claim the game."""
    resuming: Resuming | None = None
    """The request to end a pause, if there is one."""
    _notes: Log[tuple[Note, ...]] | None = field(default=None, repr=False, compare=False)
    """None until ``notes`` is first used."""

    @classmethod
    def open(cls, game: Game[S, A], header: Header) -> "Table[S, A]":
        """Opens the table before its first entry. Raises RuleError for bad options or a bad position."""
        return cls.of(replay.start(game, header, with_notes=True))

    @classmethod
    def replay(cls, game: Game[S, A], record: Record) -> "Table[S, A]":
        """Replays the table from all entries. Raises CorruptRecord if they do not follow from one another."""
        return cls.of(replay.replay(game, record))

    @classmethod
    def resume_from(cls, game: Game[S, A], record: Record, text: str) -> "Table[S, A]":
        """Replays only the entries after a snapshot. Raises UnfitSnapshot, CorruptRecord."""
        return cls.of(replay.go_on(snapshot.restore(game, record, text), record))

    @classmethod
    def of(cls, progress: Progress[S, A]) -> "Table[S, A]":
        return cls(
            progress.game,
            Record(progress.header, progress.entries),
            progress.state,
            progress.history,
            progress.last_turn,
            progress.last_move,
            progress.outcome,
            progress.offer,
            progress.effective_entries,
            progress.clock,
            progress.paused,
            progress.away,
            progress.credits,
            progress.overdue,
            progress.resuming,
            progress.notes,
        )

    def snapshot(self) -> str | None:
        """Writes the table as a text for ``resume_from``; None if this position cannot be written exactly."""
        return snapshot.take(self._progress())

    def _progress(self) -> Progress[S, A]:
        return Progress(
            self.game,
            self.record.header,
            self.options,
            self.state,
            self.to_act,
            Log.of(self.record.entries),
            Log.of(self.history),
            Log.of(self.effective_entries),
            self._notes,
            self.last_turn,
            self.last_move,
            self.outcome,
            self.offer,
            self.clock,
            self.paused,
            self.away,
            self.credits,
            self.overdue,
            self.resuming,
        )

    @property
    def seq(self) -> int:
        return len(self.record.entries)

    @property
    def options(self) -> dict[str, Any]:
        return self.game.settle_options(dict(self.record.header.options))

    @property
    def to_act(self) -> Seat | None:
        """The actor of the next step: a seat, CHANCE, or None when the game is over."""
        return None if self.outcome else self.game.to_act(self.state)

    @property
    def notes(self) -> Sequence[tuple[Note, ...]]:
        """For each entry the notes on its steps (``Game.notes``); computed on first use."""
        notes = self._notes
        if notes is None:
            notes = replay.replay(self.game, self.record, with_notes=True).notes or Log()
            object.__setattr__(self, "_notes", notes)  # a cache: the notes follow from the record
        return notes

    @property
    def has_notes(self) -> bool:
        """Whether ``notes`` are there already. For a game that was just read, their first use replays the record."""
        return self._notes is not None

    @property
    def timeout_policy(self) -> str:
        """``loss``: the game is lost when time runs out. ``claim``: the other may claim it."""
        return timekeeping.timeout_policy(self.record.header)

    @property
    def deadline(self) -> int | None:
        """The moment at which the time of the seat to act runs out, in ms since the start.

        None if the clock does not run.
        """
        return None if self.clock is None or self.overdue is not None else self.clock.deadline

    @property
    def final_banks(self) -> tuple[int, int] | None:
        """Each seat's bank after the end of the game, in ms; None without a clock."""
        if self.clock is None or not self.record.entries:
            return None
        last, turn = self.record.entries[-1], self.clock.turn
        finished = last.kind in TURN_KINDS and turn is not None and last.seat == turn.seat
        return self.clock.banks_at(last.at, finished=finished)

    @property
    def vacations(self) -> Away:
        return self._progress().vacations

    @property
    def last_act(self) -> int:
        """The moment of the last turn, roll or accepted offer, in ms since the start; 0 before the first."""
        return timekeeping.last_act(self.record.entries)

    def absent_at(self, length: int) -> int | None:
        """Returns the moment, in ms since the start, at which the seat to act will have stayed away for ``length`` ms.

        None if there is a clock, or no seat is to act.
        """
        if self.clock is not None or self.to_act in {None, CHANCE}:
            return None
        return timekeeping.absent_at(self._progress(), length)

    @property
    def counts(self) -> bool:
        return timekeeping.counts(self.outcome, self.record.entries, self.effective_entries)

    @property
    def lost_on_time(self) -> Seat | None:
        """The seat that has lost on time, if the result counts; the last entry has the moment."""
        outcome = self.outcome
        if outcome is None or outcome.reason != "end.time" or outcome.winner is None or not self.counts:
            return None
        return 1 - outcome.winner

    def may_claim(self, seat: Seat, at: int) -> bool:
        """Returns whether ``seat`` may end the game: the other is out of time or, without a clock, stays away."""
        return timekeeping.may_claim(self._progress(), seat, at)

    # --- commands: each checks, then appends ---------------------------------------------------------------------

    def play(self, seat: Seat, text: str, at: int, *, conditional: bool = False) -> "Table[S, A]":
        """Plays a whole turn in the game's notation; ``conditional``: it is a conditional move. Raises RuleError."""
        timekeeping.require_time(self._progress(), at)
        if self.to_act != seat:
            raise Refused("table.not_your_turn")
        steps = self.game.parse(self.state, text)
        kind = Kind.CONDITIONAL if conditional else Kind.PLAY
        return self.append(Entry(at, kind, seat, self.game.format(self.state, steps)))

    def resign(self, seat: Seat, points: int, at: int) -> "Table[S, A]":
        """Resigns for ``points``; for less than the most the seat can lose, it is an offer. Raises Refused."""
        timekeeping.require_time(self._progress(), at)
        allowed = self.game.resign_values(self.state, seat)
        if points not in allowed:
            raise Refused("table.resign_points", points=points, allowed=", ".join(map(str, allowed)))
        if points == allowed[-1]:
            return self.append(Entry(at, Kind.RESIGN, seat, str(points)))
        return self.make_offer(seat, f"resign {points}", at)

    def resign_match(self, seat: Seat, at: int) -> "Table[S, A]":
        """Resigns the match that the game is part of, and the game for the most that it can cost. Raises Refused."""
        timekeeping.require_time(self._progress(), at)
        most = self.game.resign_values(self.state, seat)[-1]
        return self.append(Entry(at, Kind.RESIGN, seat, f"{most} {MATCH}"))

    def make_offer(self, seat: Seat, what: str, at: int) -> "Table[S, A]":
        """Makes an offer (see ``Kind.OFFER``). It ends when it is answered or withdrawn, or when the other plays.

        Raises Refused; RuleError for an unreadable clock.
        """
        timekeeping.require_time(self._progress(), at)
        if self.offer is not None:
            raise Refused("table.offer_stands" if self.offer.seat == seat else "table.answer_first")
        return self.append(Entry(at, Kind.OFFER, seat, canonical(what)))

    def offer_takeback(self, seat: Seat, at: int) -> "Table[S, A]":
        """Offers to take back the seat's last turn and all turns after it. Raises Refused, also if dice fell since."""
        timekeeping.require_time(self._progress(), at)
        require_takeback_index(self.effective_entries, seat)
        return self.make_offer(seat, TAKEBACK, at)

    def answer(self, seat: Seat, at: int, *, accept: bool) -> "Table[S, A]":
        """Accepts or declines the other's offer. Raises Refused."""
        timekeeping.require_time(self._progress(), at)
        if self.offer is None:
            raise Refused("table.no_offer")
        if self.offer.seat == seat:
            raise Refused("table.own_offer")
        return self.append(Entry(at, Kind.ACCEPT if accept else Kind.DECLINE, seat, self.offer.what))

    def withdraw(self, seat: Seat, at: int) -> "Table[S, A]":
        """Withdraws the seat's offer. Raises Refused."""
        timekeeping.require_time(self._progress(), at)
        if self.offer is None:
            raise Refused("table.no_offer")
        if self.offer.seat != seat:
            raise Refused("table.others_offer")
        return self.append(Entry(at, Kind.WITHDRAW, seat, self.offer.what))

    def resume(self, seat: Seat, at: int) -> "Table[S, A]":
        """Asks to end a pause, or ends it if the other has asked. Raises Refused."""
        timekeeping.require_time(self._progress(), at)
        asked = self.resuming is not None and self.resuming.seat != seat
        return self.append(Entry(at, Kind.RESUME if asked else Kind.ASK_RESUME, seat))

    def end_pause(self) -> "Table[S, A]":
        """Ends a pause RESUMED_AFTER a seat has asked for it, dated so. Raises Refused if nobody has."""
        self._progress().require_running()
        if self.resuming is None:
            raise Refused("table.not_paused")
        return self.append(Entry(max(self.resuming.at, self.record.entries[-1].at), Kind.RESUME, CHANCE))

    def give(self, seat: Seat, at: int) -> "Table[S, A]":
        """Gives the other seat as much time as one can give at once (``timekeeping.gift``). Raises Refused."""
        timekeeping.require_time(self._progress(), at)
        if self.clock is None:
            raise Refused("table.no_clock")
        return self.append(Entry(at, Kind.GIVE, seat, duration(timekeeping.gift(self.clock.spec))))

    def claim(self, seat: Seat, what: str, at: int) -> "Table[S, A]":
        """Ends the game with a ``win`` or a ``draw``, if ``may_claim``. Raises Refused."""
        timekeeping.require_time(self._progress(), at)
        return self.append(Entry(at, Kind.CLAIM, seat, what))

    def leave(self, seat: Seat, at: int) -> "Table[S, A]":
        """Records that the seat's player is gone for good. Raises Refused."""
        timekeeping.require_time(self._progress(), at)
        return self.append(Entry(at, Kind.LEAVE, seat))

    def adjudicate(self, result: adjudication.Result, why: str, at: int) -> "Table[S, A]":
        """Ends the game by a decision from outside (see ``adjudication.body_of``). Raises Refused."""
        timekeeping.require_time(self._progress(), at)
        return self.append(Entry(at, Kind.ADJUDICATE, CHANCE, adjudication.body_of(result, why)))

    def time_out(self, at: int) -> "Table[S, A]":
        """Records that the running seat's time is up, dated when it ran out. Raises Refused."""
        self._progress().require_running()
        if self.clock is None:
            return self._absent(at)
        deadline = self.deadline
        if self.clock.running is None or deadline is None or not self.clock.expired(at):
            raise Refused("table.time_left")
        last = self.record.entries[-1].at if self.record.entries else 0
        return self.append(Entry(max(deadline + LAG, last), Kind.TIMEOUT, self.clock.running))

    def _absent(self, at: int) -> "Table[S, A]":
        """Records that the seat to act has not acted for ABANDONED, in a game without a clock. Raises Refused."""
        since = self.absent_at(timekeeping.ABANDONED)
        if since is None or at < since or self.to_act is None or self.overdue is not None:
            raise Refused("table.time_left")
        last = self.record.entries[-1].at if self.record.entries else 0
        return self.append(Entry(max(since, last), Kind.TIMEOUT, self.to_act))

    def settle(
        self,
        at: int,
        luck: Callable[["Table[S, A]"], str],
        plays_forced: tuple[bool, bool] = (True, True),
        automatic: tuple[bool, bool] = (False, False),
    ) -> "Table[S, A]":
        """Adds rolls, automatic actions and forced turns until a seat has a choice, or the game is over.

        ``luck`` returns the body of the next chance entry. ``plays_forced``: for each seat, whether forced turns are
        played for it; one that changes nothing on the board always is. ``automatic``: for each seat, whether
        ``Game.automatic_action`` is taken for it.
        """
        table = self
        while (actor := table.to_act) is not None:
            if actor == CHANCE:
                table = table.append(Entry(at, Kind.CHANCE, CHANCE, luck(table)))
                continue
            if automatic[actor] and (step := table.game.automatic_action(table.state)) is not None:
                table = table.append(Entry(at, Kind.AUTOMATIC, actor, table.game.format(table.state, (step,))))
                continue
            steps = forced_turn(table.game, table.state)
            if steps is None:
                break
            if not plays_forced[actor] and table.game.changes_board(table.state, steps[0]):
                break
            table = table.append(Entry(at, Kind.FORCED, actor, table.game.format(table.state, steps)))
        return table

    def append(self, entry: Entry) -> "Table[S, A]":
        """Appends an entry. Raises RuleError if it does not follow."""
        progress = self._progress()
        replay.follow(progress, entry)
        return self.of(progress)


def replay_tables(game: Game[S, A], record: Record) -> Iterator[Table[S, A]]:
    """Yields the table before the first entry and after each, for a replay. Raises CorruptRecord."""
    try:
        progress = replay.start(game, record.header, with_notes=True)
        yield Table.of(progress)
        for entry in record.entries:
            replay.follow(progress, entry)
            yield Table.of(progress)
    except RuleError as error:
        raise replay.does_not_replay(record.header, error) from error
