"""The SELECTs of every move and of busy workers, with their conditions. They are built only once."""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Integer,
    Select,
    TextClause,
    and_,
    bindparam,
    func,
    literal,
    or_,
    select,
)

from bot.core.processes.membership import SHARD_SHIFT
from bot.games.tables import IS_OVER, IS_RUNNING, games
from bot.players.machines import LEVELS


def _version_where(*where: ColumnElement[bool] | TextClause) -> Select[Any]:
    version = select(games.c.id, games.c.seq, games.c.shown_seq, games.c.channel_id, games.c.seat0, games.c.seat1)
    return version.where(*where).order_by(games.c.last_entry_at.desc(), games.c.id).limit(1)


def _waits_for(seat: int) -> ColumnElement[bool]:
    """Returns the condition that a game waits for the seat's turn or answer."""
    answers = and_(games.c.offered, games.c.awaited == seat)
    return answers | ((games.c.to_act == seat) & games.c.paused.is_(False))


def _waits_for_user() -> ColumnElement[bool]:
    """Returns the condition that a game waits for the user's turn or answer: see ``waiting_for``."""
    seats = (games.c.seat0, games.c.seat1)
    hurries = [~seat.between(LEVELS[0], LEVELS[-1]) | (games.c.clock != "") for seat in seats[::-1]]
    user = bindparam("user", type_=BigInteger)
    return or_(*((seats[number] == user) & _waits_for(number) & hurries[number] for number in (0, 1)))


def shard(count: int | ColumnElement[int]) -> ColumnElement[int]:
    """Returns the shard of a game's server, as in ``clocks.heartbeats.service.shard_of``."""
    return func.coalesce(games.c.guild_id, 0).op(">>")(literal(SHARD_SHIFT, Integer)).op("%")(count)


def _waits_for_machine() -> ColumnElement[bool]:
    """Returns the condition that a game waits for a machine: see ``waiting_for_machines``."""
    resumes = games.c.paused & games.c.deadline.is_not(None)
    late_since = bindparam("late_since", type_=BigInteger)
    abandoned = games.c.overdue & ((games.c.clock == "") | (games.c.last_entry_at <= late_since))
    return or_(
        *(
            seat.between(LEVELS[0], LEVELS[-1])
            & ((_waits_for(number) & (games.c.offered.is_(False) | (games.c.awaited == number))) | resumes | abandoned)
            for number, seat in enumerate((games.c.seat0, games.c.seat1))
        )
    )


THIS: Final = _version_where(games.c.id == bindparam("id"))
RUNNING_AT: Final = _version_where(games.c.channel_id == bindparam("id"), IS_RUNNING)
ENDED_AT: Final = _version_where(games.c.channel_id == bindparam("id"), IS_OVER)
WAITING_FOR_USER: Final = (
    select(func.count()).select_from(games).where(IS_RUNNING, _waits_for_user(), games.c.id != bindparam("excluded"))
)
WAITING_FOR_MACHINES: Final = (
    select(games.c.id)
    .where(IS_RUNNING, _waits_for_machine(), games.c.server_gone.is_(False))
    .where(shard(bindparam("count", type_=Integer)).in_(bindparam("shards", expanding=True)))
    .order_by(games.c.last_entry_at, games.c.id)
)
