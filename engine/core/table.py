"""A game in play: the fold of its record. Commands give a new table with one more entry, or refuse."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Generic

from engine.core import folds, timekeeping
from engine.core.chance import commitment, draw
from engine.core.clock import LAG, Away, Clock
from engine.core.errors import CorruptRecord, Refused, RuleError
from engine.core.folds import TAKEBACK, Offer, Played, line_of, standing, takeable, undone
from engine.core.game import CHANCE, A, Game, Note, Outcome, S, Seat
from engine.core.hours import Interval
from engine.core.record import Entry, Header, Kind, Record
from engine.core.search import forced_turn

__all__ = [
    "FOLDS",
    "Offer",
    "Played",
    "Table",
    "drawn",
    "line_of",
    "stages",
    "standing",
    "takeable",
    "undone",
    "verify",
]


@dataclass(frozen=True, slots=True)
class Table(Generic[S, A]):
    """A game's record with what follows from it. ``seq`` numbers the entries; it is the version of the table."""

    game: Game[S, A]
    record: Record
    state: S
    turns: tuple[str, ...] = ()
    """The position texts at the start of each turn so far."""
    last: Played[S, A] | None = None
    moved: Played[S, A] | None = None
    """The last turn that changed something on the board (see ``Game.changes_board``)."""
    outcome: Outcome | None = None
    offer: Offer | None = None
    line: tuple[Entry, ...] = ()
    """The entries that led to the position: all turns and rolls but those taken back."""
    told: tuple[tuple[Note, ...], ...] = ()
    """For each entry what there is to say of its steps (``Game.notes``)."""
    clock: Clock | None = None
    paused: bool = False
    """By agreement; the clock stands."""
    away: Away = ((), ())
    """Where there is no clock to know of it: each seat's vacations, and when the bot could take no moves."""
    credits: tuple[Interval, ...] = ()
    overdue: Seat | None = None
    """The seat whose time is up, where the other may claim the game."""

    @classmethod
    def open(cls, game: Game[S, A], header: Header) -> "Table[S, A]":
        """The table before its first entry. Raises RuleError for bad options or a bad position."""
        options = game.settle_options(dict(header.options))
        state = game.decode(header.position, options) if header.position else game.start(options)
        clock = timekeeping.clock_of(header)
        return timekeeping.kept(folds.settled(cls(game, Record(header), state, clock=clock), played=True), 0)

    @classmethod
    def replay(cls, game: Game[S, A], record: Record) -> "Table[S, A]":
        """The table after all entries. Raises CorruptRecord if they do not follow from one another."""
        *_, last = stages(game, record)
        return last

    @property
    def seq(self) -> int:
        return len(self.record.entries)

    @property
    def options(self) -> dict[str, Any]:
        return self.game.settle_options(dict(self.record.header.options))

    @property
    def to_act(self) -> Seat | None:
        """A seat, CHANCE, or None when the game is over."""
        return None if self.outcome else self.game.to_act(self.state)

    @property
    def policy(self) -> str:
        """What follows when time runs out: ``loss`` or ``claim``."""
        return self.record.header.timeout or timekeeping.LOSS

    @property
    def deadline(self) -> int | None:
        """When the time of whoever is to act is used up, in ms since the start; None while no time runs out."""
        return None if self.clock is None or self.overdue is not None else self.clock.deadline

    @property
    def counts(self) -> bool:
        """Whether the result counts for ratings."""
        return timekeeping.counts(self)

    def may_claim(self, seat: Seat, at: int) -> bool:
        """Whether ``seat`` may end the game because the other's time is up, or, without a clock, they stay away."""
        return timekeeping.may_claim(self, seat, at)

    # --- commands: each checks, then appends ---------------------------------------------------------------------

    def play(self, seat: Seat, text: str, at: int, *, conditional: bool = False) -> "Table[S, A]":
        """A whole turn in the game's notation; ``conditional``: decided before it came. Raises RuleError."""
        self._running(at)
        if self.to_act != seat:
            raise Refused("table.not_your_turn")
        steps = self.game.parse(self.state, text)
        kind = Kind.CONDITIONAL if conditional else Kind.PLAY
        return self.append(Entry(at, kind, seat, self.game.format(self.state, steps)))

    def resign(self, seat: Seat, points: int, at: int) -> "Table[S, A]":
        """Gives up the game for ``points``; less than the position could cost is an offer. Raises Refused."""
        self._running(at)
        allowed = self.game.resign_values(self.state, seat)
        if points not in allowed:
            raise Refused("table.resign_points", points=points, allowed=", ".join(map(str, allowed)))
        if points == allowed[-1]:
            return self.append(Entry(at, Kind.RESIGN, seat, str(points)))
        return self.make_offer(seat, f"resign {points}", at)

    def make_offer(self, seat: Seat, what: str, at: int) -> "Table[S, A]":
        """Offers something (see ``Kind.OFFER``); it stands until answered or withdrawn, or the other plays. Refused."""
        self._running(at)
        if self.offer is not None:
            raise Refused("table.offer_stands" if self.offer.seat == seat else "table.answer_first")
        return self.append(Entry(at, Kind.OFFER, seat, folds.offered(what)))

    def ask_back(self, seat: Seat, at: int) -> "Table[S, A]":
        """Asks to take back the seat's last turn, and the answer to it if there is one. Raises Refused.

        Never past luck: dice that have fallen stay.
        """
        self._running(at)
        takeable(self, seat)
        return self.make_offer(seat, TAKEBACK, at)

    def answer(self, seat: Seat, at: int, *, accept: bool) -> "Table[S, A]":
        """Accepts or declines the other's offer. Raises Refused."""
        self._running(at)
        if self.offer is None:
            raise Refused("table.no_offer")
        if self.offer.seat == seat:
            raise Refused("table.own_offer")
        return self.append(Entry(at, Kind.ACCEPT if accept else Kind.DECLINE, seat, self.offer.what))

    def withdraw(self, seat: Seat, at: int) -> "Table[S, A]":
        """Takes back what the seat has offered. Raises Refused."""
        self._running(at)
        if self.offer is None:
            raise Refused("table.no_offer")
        if self.offer.seat != seat:
            raise Refused("table.others_offer")
        return self.append(Entry(at, Kind.WITHDRAW, seat, self.offer.what))

    def resume(self, seat: Seat, at: int) -> "Table[S, A]":
        """Ends a pause. Raises Refused."""
        self._running(at)
        return self.append(Entry(at, Kind.RESUME, seat))

    def claim(self, seat: Seat, what: str, at: int) -> "Table[S, A]":
        """Ends the game with a ``win`` or a ``draw``, if ``may_claim``. Raises Refused."""
        self._running(at)
        return self.append(Entry(at, Kind.CLAIM, seat, what))

    def time_out(self, at: int) -> "Table[S, A]":
        """Notes that the running seat's time is up, dated when it was, whenever it is noticed. Raises Refused."""
        self._over()
        deadline = self.deadline
        if self.clock is None or self.clock.running is None or deadline is None or not self.clock.expired(at):
            raise Refused("table.time_left")
        last = self.record.entries[-1].at if self.record.entries else 0
        return self.append(Entry(max(deadline + LAG, last), Kind.TIMEOUT, self.clock.running))

    def settle(
        self,
        at: int,
        luck: Callable[["Table[S, A]"], str],
        plays_forced: tuple[bool, bool] = (True, True),
        automatic: tuple[bool, bool] = (False, False),
    ) -> "Table[S, A]":
        """Lets luck and compulsion act until a seat has a choice, or the game is over.

        ``luck`` gives the body of the next chance entry. ``plays_forced``: whether forced turns are played for each
        seat; one that changes nothing on the board always is. ``automatic``: whether ``Game.automatic_action`` is taken
        for each seat.
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

    # --- the fold ------------------------------------------------------------------------------------------------

    def append(self, entry: Entry) -> "Table[S, A]":
        """The one place where a table changes. Raises RuleError if the entry does not follow."""
        if entry.kind in timekeeping.NOTED:
            self._over()
        else:
            self._running(entry.at)
        table = replace(self, record=Record(self.record.header, (*self.record.entries, entry)), told=(*self.told, ()))
        return timekeeping.kept(FOLDS[entry.kind](table, entry), entry.at)

    def _running(self, at: int) -> None:
        """Whether players can still do something at ``at``. Raises Refused."""
        self._over()
        if self.clock is not None and self.policy == timekeeping.LOSS and self.clock.expired(at):
            raise Refused("table.time_up")

    def _over(self) -> None:
        if self.outcome is not None:
            raise Refused("table.over")


def stages(game: Game[S, A], record: Record) -> Iterator[Table[S, A]]:
    """The table before the first entry and after each, for looking through a game. Raises CorruptRecord."""
    try:
        table = Table.open(game, record.header)
        yield table
        for entry in record.entries:
            table = table.append(entry)
            yield table
    except RuleError as error:
        raise CorruptRecord(f"game {record.header.id} does not replay: {error}") from error


FOLDS: Final[dict[Kind, Callable[[Table[Any, Any], Entry], Table[Any, Any]]]] = {
    Kind.CHANCE: folds.chance,
    Kind.PLAY: folds.turn,
    Kind.FORCED: folds.turn,
    Kind.AUTOMATIC: folds.turn,
    Kind.CONDITIONAL: folds.turn,
    Kind.OFFER: folds.offer,
    Kind.ACCEPT: folds.accept,
    Kind.DECLINE: folds.decline,
    Kind.WITHDRAW: folds.withdraw,
    Kind.RESIGN: folds.resign,
    Kind.RESUME: timekeeping.resume,
    Kind.TIMEOUT: timekeeping.timeout,
    Kind.CLAIM: timekeeping.claim,
    Kind.HOURS: timekeeping.hours,
    Kind.AWAY: timekeeping.away,
    Kind.CREDIT: timekeeping.credit,
}


def drawn(table: Table[S, A], secret: str) -> str:
    """The text of the outcome that ``secret`` draws at this table, as anyone can repeat it (see ``chance``)."""
    game, state = table.game, table.state
    outcomes = game.legal(state)
    weights = [game.weight(state, outcome) for outcome in outcomes]
    rolls = sum(entry.kind is Kind.CHANCE for entry in table.record.entries)
    header = table.record.header
    index = draw(weights, secret, f"{header.id}:{rolls}:{table.record.digest()}")
    return game.format(state, (outcomes[index],))


def verify(game: Game[S, A], record: Record) -> int:
    """Repeats every draw of a record that commits to its luck; the number of rolls checked.

    Raises CorruptRecord at the first that differs, or that no commitment was made to.
    """
    table = Table.open(game, record.header)
    checks = bool(record.header.commitment)
    promised = record.header.commitment
    checked = 0
    for number, entry in enumerate(record.entries):
        if entry.kind is Kind.CHANCE and checks:
            outcome, secret, following = (*entry.body.split(" "), "", "")[:3]
            if not promised:
                raise CorruptRecord(f"entry {number}: nothing was committed to for this roll")
            if commitment(secret) != promised:
                raise CorruptRecord(f"entry {number}: the secret is not the one committed to")
            if drawn(table, secret) != outcome:
                raise CorruptRecord(f"entry {number}: the secret draws {drawn(table, secret)}, not {outcome}")
            promised = following
            checked += 1
        try:
            table = table.append(entry)
        except RuleError as error:
            raise CorruptRecord(f"entry {number} does not follow: {error}") from error
    return checked
