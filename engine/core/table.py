"""A game in play: the fold of its record. Commands give a new table with one more entry, or refuse."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Generic

from engine.core.chance import commitment, draw
from engine.core.errors import CorruptRecord, IllegalMove, Refused, RuleError
from engine.core.game import CHANCE, DRAW_POINTS, A, Game, Note, Outcome, S, Seat, win
from engine.core.record import Entry, Header, Kind, Record
from engine.core.search import forced_turn

DRAW: Final = "draw"
TAKEBACK: Final = "takeback"


@dataclass(frozen=True, slots=True)
class Offer:
    """What a seat has offered, for the other to accept or decline: ``draw``, ``takeback``, ``resign N``."""

    seat: Seat
    what: str


@dataclass(frozen=True, slots=True)
class Played(Generic[S, A]):
    """A turn as it was made, with the state before it."""

    before: S
    seat: Seat
    steps: tuple[A, ...]


@dataclass(frozen=True, slots=True)
class Table(Generic[S, A]):
    """A game's record with what follows from it. ``seq`` numbers the entries; it is the version of the table."""

    game: Game[S, A]
    record: Record
    state: S
    turns: tuple[str, ...] = ()
    """The position texts at the start of each turn so far."""
    last: Played[S, A] | None = None
    outcome: Outcome | None = None
    offer: Offer | None = None
    line: tuple[Entry, ...] = ()
    """The entries that led to the position: all turns and rolls but those taken back."""
    told: tuple[tuple[Note, ...], ...] = ()
    """For each entry what there is to say of its steps (``Game.notes``)."""

    @classmethod
    def open(cls, game: Game[S, A], header: Header) -> "Table[S, A]":
        """The table before its first entry. Raises RuleError for bad options or a bad position."""
        options = game.settle_options(dict(header.options))
        state = game.decode(header.position, options) if header.position else game.start(options)
        return _settled(cls(game, Record(header), state), played=True)

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

    # --- commands: each checks, then appends ---------------------------------------------------------------------

    def play(self, seat: Seat, text: str, at: int) -> "Table[S, A]":
        """A whole turn in the game's notation. Raises RuleError, of whichever kind."""
        self._running()
        if self.to_act != seat:
            raise Refused("table.not_your_turn")
        steps = self.game.parse(self.state, text)
        return self.append(Entry(at, Kind.PLAY, seat, self.game.format(self.state, steps)))

    def resign(self, seat: Seat, points: int, at: int) -> "Table[S, A]":
        """Gives up the game for ``points``; less than the position could cost is an offer. Raises Refused."""
        self._running()
        allowed = self.game.concessions(self.state, seat)
        if points not in allowed:
            raise Refused("table.resign_points", points=points, allowed=", ".join(map(str, allowed)))
        if points == allowed[-1]:
            return self.append(Entry(at, Kind.RESIGN, seat, str(points)))
        return self.make_offer(seat, f"resign {points}", at)

    def make_offer(self, seat: Seat, what: str, at: int) -> "Table[S, A]":
        """Offers ``draw``, ``takeback`` or ``resign N``; it stands until answered, or the other plays. Refused."""
        self._running()
        if self.offer is not None:
            raise Refused("table.offer_stands" if self.offer.seat == seat else "table.answer_first")
        return self.append(Entry(at, Kind.OFFER, seat, what))

    def ask_back(self, seat: Seat, at: int) -> "Table[S, A]":
        """Asks to take back the seat's last turn, and the answer to it if there is one. Raises Refused.

        Never past luck: dice that have fallen stay.
        """
        self._running()
        if standing(self, seat) is None:
            raise Refused("table.nothing_to_take_back")
        return self.make_offer(seat, TAKEBACK, at)

    def answer(self, seat: Seat, at: int, *, accept: bool) -> "Table[S, A]":
        """Accepts or declines the other's offer. Raises Refused."""
        self._running()
        if self.offer is None:
            raise Refused("table.no_offer")
        if self.offer.seat == seat:
            raise Refused("table.own_offer")
        return self.append(Entry(at, Kind.ACCEPT if accept else Kind.DECLINE, seat, self.offer.what))

    def settle(
        self, at: int, luck: Callable[["Table[S, A]"], str], plays_forced: tuple[bool, bool] = (True, True)
    ) -> "Table[S, A]":
        """Lets luck and compulsion act until a seat has a choice, or the game is over.

        ``luck`` gives the body of the next chance entry. A forced turn is made for a seat if it wants that
        (``plays_forced``), a forced pass always.
        """
        table = self
        while (actor := table.to_act) is not None:
            if actor == CHANCE:
                table = table.append(Entry(at, Kind.CHANCE, CHANCE, luck(table)))
                continue
            steps = forced_turn(table.game, table.state)
            if steps is None:
                break
            text = table.game.format(table.state, steps)
            if text != "pass" and not plays_forced[actor]:
                break
            table = table.append(Entry(at, Kind.FORCED, actor, text))
        return table

    # --- the fold ------------------------------------------------------------------------------------------------

    def append(self, entry: Entry) -> "Table[S, A]":
        """The one place where a table changes. Raises RuleError if the entry does not follow."""
        self._running()
        table = replace(self, record=Record(self.record.header, (*self.record.entries, entry)), told=(*self.told, ()))
        return FOLDS[entry.kind](table, entry)

    def _running(self) -> None:
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


def _chance(table: Table[S, A], entry: Entry) -> Table[S, A]:
    if table.to_act != CHANCE:
        raise Refused("table.no_roll_now")
    game, state = table.game, table.state
    (step,) = game.parse(state, entry.body.split(" ")[0])
    told = (*table.told[:-1], game.notes(state, step))
    return _settled(replace(table, state=game.apply(state, step), told=told, line=(*table.line, entry)), played=False)


def _turn(table: Table[S, A], entry: Entry) -> Table[S, A]:
    if table.to_act != entry.seat:
        raise Refused("table.not_your_turn")
    game, before = table.game, table.state
    steps = game.parse(before, entry.body)
    state = before
    notes: list[Note] = []
    for step in steps:
        notes += game.notes(state, step)
        state = game.apply(state, step)
    if game.to_act(state) == entry.seat:
        raise IllegalMove("table.unfinished", played=entry.body)
    offer = table.offer if table.offer and table.offer.seat == entry.seat else None
    table = replace(table, state=state, last=Played(before, entry.seat, steps), offer=offer)
    table = replace(table, told=(*table.told[:-1], tuple(notes)), line=(*table.line, entry))
    return _settled(table, played=True)


def _offer(table: Table[S, A], entry: Entry) -> Table[S, A]:
    return replace(table, offer=Offer(entry.seat, entry.body))


def _decline(table: Table[S, A], _: Entry) -> Table[S, A]:
    return replace(table, offer=None)


def _accept(table: Table[S, A], entry: Entry) -> Table[S, A]:
    if table.offer is None or table.offer.seat == entry.seat:
        raise Refused("table.no_offer")
    if table.offer.what == TAKEBACK:
        return _take_back(table, table.offer.seat)
    if table.offer.what == DRAW:
        outcome = Outcome(DRAW_POINTS, "end.agreed_draw")
    else:
        outcome = win(entry.seat, int(table.offer.what.removeprefix("resign ")), "end.resigned")
    return replace(table, outcome=outcome, offer=None)


def standing(table: Table[S, A], seat: Seat) -> int | None:
    """How many of the entries in ``line`` stand if ``seat`` takes back its last turn; None if it cannot."""
    for index in range(len(table.line) - 1, -1, -1):
        entry = table.line[index]
        if entry.kind is Kind.CHANCE:
            return None
        if entry.kind is Kind.PLAY and entry.seat == seat:
            return index
    return None


def _take_back(table: Table[S, A], seat: Seat) -> Table[S, A]:
    """The position before the seat's last turn; the record keeps what was played and that it was taken back."""
    count = standing(table, seat)
    if count is None:
        raise Refused("table.nothing_to_take_back")
    earlier = Table.replay(table.game, Record(table.record.header, table.line[:count]))
    return replace(earlier, record=table.record, told=table.told)


def _resign(table: Table[S, A], entry: Entry) -> Table[S, A]:
    return replace(table, outcome=win(1 - entry.seat, int(entry.body), "end.resigned"), offer=None)


FOLDS: Final[dict[Kind, Callable[[Table[Any, Any], Entry], Table[Any, Any]]]] = {
    Kind.CHANCE: _chance,
    Kind.PLAY: _turn,
    Kind.FORCED: _turn,
    Kind.OFFER: _offer,
    Kind.ACCEPT: _accept,
    Kind.DECLINE: _decline,
    Kind.RESIGN: _resign,
}


def _settled(table: Table[S, A], *, played: bool) -> Table[S, A]:
    """Notes a turn that begins, and the end that the position or the course of the game brings."""
    game, state = table.game, table.state
    actor = game.to_act(state)
    turns = table.turns if actor in {None, CHANCE} else (*table.turns, game.encode(state))
    outcome = game.outcome(state)
    if outcome is None and played:
        outcome = game.look_back(turns, table.options)
    return replace(table, turns=turns, outcome=outcome, offer=None if outcome else table.offer)


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
    """Repeats every draw of a record; the number of rolls checked. Raises CorruptRecord at the first that differs."""
    table = Table.open(game, record.header)
    promised = record.header.commitment
    checked = 0
    for number, entry in enumerate(record.entries):
        if entry.kind is Kind.CHANCE and promised:
            outcome, secret, following = (*entry.body.split(" "), "", "")[:3]
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
