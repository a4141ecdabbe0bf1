"""The statements of play. Each is made once, with bound parameters: making one anew costs more than executing it.

Parameters in conditions begin with ``of_`` where one of the same name as its column would be a new value.
"""

from functools import cache, lru_cache
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Insert,
    Select,
    TextClause,
    Update,
    and_,
    bindparam,
    func,
    insert,
    literal,
    or_,
    select,
    union_all,
    update,
)

from bot.core.storage.writing.writes import SHAPES, Statement
from bot.games.derived import DERIVED
from bot.games.tables import IS_RUNNING, OVER, entries, games, snapshots

NOT_FAILED: Final = {"attempts": 0, "next_attempt_at": 0, "delivery_error": "", "delivery_error_informed": 0}
VERSION: Final = (games.c.id, games.c.seq, games.c.shown_seq, games.c.channel_id, games.c.seat0, games.c.seat1)
ENTRIES: Final = select(entries).where(entries.c.game_id == bindparam("game_id")).order_by(entries.c.seq)
GAME_AND_SNAPSHOT: Final = (
    select(games, snapshots.c.text.label("snapshot")).outerjoin(snapshots).where(games.c.id == bindparam("game_id"))
)


def _first(*where: ColumnElement[bool] | TextClause) -> Select[Any]:
    return select(*VERSION).where(*where).order_by(games.c.last_entry_at.desc(), games.c.id).limit(literal(1))


BY_ID: Final = _first(games.c.id == bindparam("game_id"))
_IN_CHANNEL: Final = games.c.channel_id == bindparam("channel_id")
RUNNING_AT: Final = _first(_IN_CHANNEL, IS_RUNNING)
ENDED_AT: Final = _first(_IN_CHANNEL, games.c.status == OVER)


def _waits_for(seat: int) -> ColumnElement[bool]:
    """The condition that a game waits for the seat's turn or answer."""
    answers = and_(games.c.offered, games.c.awaited == seat)
    return answers | ((games.c.to_act == seat) & games.c.paused.is_(False))


WAITING_FOR: Final = (
    select(func.count())
    .select_from(games)
    .where(
        IS_RUNNING,
        or_(
            (games.c.seat0 == bindparam("user_id")) & _waits_for(0),
            (games.c.seat1 == bindparam("user_id")) & _waits_for(1),
        ),
        games.c.id != bindparam("excluded_id"),
    )
)
ADD: Final = insert(entries)
ADDED: Final = ("seq", "at", "kind", "seat", "body")
"""The columns of an entry beside its game."""


@cache
def moved_row(*, in_channel: bool, edits: bool) -> Update:
    """Brings the row of a game up to date with its entries."""
    where = [games.c.id == bindparam("of_id"), games.c.seq == bindparam("of_seq")]
    if in_channel:
        where.append(games.c.channel_id == bindparam("of_channel"))
    if edits:
        where.append(games.c.edits == bindparam("of_edits"))
    changed = ("secret", "next_attempt_at", "board_leased_until", "board_leased_by", *DERIVED)
    return update(games).where(*where).values({name: bindparam(name) for name in changed})


@lru_cache(SHAPES)
def moved_with_entries(moved: Statement, count: int) -> Insert:
    """The same, which also adds so many entries, whose parameters end with their number."""
    fitting = moved.returning(games.c.id).cte("moved")
    game_id = select(fitting.c.id).scalar_subquery()
    rows = (
        select(game_id, *(bindparam(f"{name}_{number}", type_=entries.c[name].type) for name in ADDED))
        for number in range(count)
    )
    return insert(entries).from_select(("game_id", *ADDED), union_all(*rows))


@cache
def shown_row(*, in_channel: bool, message: bool) -> Update:
    """Stores that the players were shown so many entries, never fewer than before."""
    where = [games.c.id == bindparam("of_id"), games.c.shown_seq <= bindparam("of_seq")]
    if in_channel:
        where.append(games.c.channel_id == bindparam("of_channel"))
    values: dict[str, Any] = {**NOT_FAILED, "shown_seq": bindparam("of_seq")}
    if message:
        values["message_id"] = bindparam("message_id")
    return update(games).where(*where).values(values)
