"""A day, or a month, of correspondence by a clock moved by hand: the bot costs nobody a game and tells nobody twice."""

from collections import Counter
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from fakes.month import Month
from fakes.month_outages import DATABASE, PROCESS, SHARD
from fakes.referee import Referee
from harness.thinning import in_number

from bot.core.storage.database import Database
from bot.core.workers import Pace
from bot.notifications import views as notification_views
from engine.core.record import Kind
from engine.registry import GAMES

pytestmark = pytest.mark.xdist_group("month")

SEED = 2026
DAY, MONTH = (20, 40, 1), (200, 500, 30)
"""People, games, days."""
TEXTS: dict[tuple[int, int, int], dict[str, str]] = {}
"""The records that a size gives."""


@pytest.fixture(autouse=True)
def without_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notifications without the picture of a board."""

    async def nothing(*_: Any) -> list[Any]:
        return []

    monkeypatch.setattr(notification_views, "picture", nothing)


@pytest.fixture(autouse=True)
def without_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for Discord's limit, which knows nothing of the clock that is moved by hand."""

    async def at_once(*_: Any) -> None:
        """Does nothing, as if there were no limit."""

    monkeypatch.setattr(Pace, "wait", at_once)


@pytest.mark.long
@pytest.mark.timeout(600)
@in_number("size", DAY, MONTH)
async def test_a_month_of_correspondence(database: Database, size: tuple[int, int, int]) -> None:
    people, number, days = size
    month = Month(database, SEED, people=people, number=number, days=days)
    await month.run()
    records = await month.records()
    referees = {game_id: Referee(text) for game_id, (text, _) in records.items()}
    assert len(records) == number
    # every game is over
    assert [game_id for game_id, (_, over) in records.items() if not over] == []
    assert await month.deadlines_left() == 0
    # each time-out is right, no move was taken too late or refused too early
    assert [finding for referee in referees.values() for finding in referee.findings] == []
    # nobody was charged for an outage
    for game_id, referee in referees.items():
        shard = month.games.plans[game_id].shard
        for away in month.outages.all:
            if referee.timed and (away.what != SHARD or shard == 1):
                window = (away.since - referee.started, away.until - referee.started)
                assert referee.uncovered(window) == [], (game_id, away)
    await check_notices(month, referees)
    assert [away.what for away in month.outages.all] == [PROCESS, DATABASE, SHARD]
    if size == MONTH:
        check_variety(month, records, referees)
    texts = {game_id: text for game_id, (text, _) in records.items()}
    assert texts == TEXTS.setdefault(size, texts)  # on whichever database


async def check_notices(month: Month, referees: dict[str, Referee]) -> None:
    """Checks that nothing was told twice or lost, and that each notice taken back had lost its reason."""
    outbox, arrived = await month.outbox(), month.mail.arrived
    assert [notice_id for notice_id, channels in arrived.items() if len(channels) != 1] == []
    assert arrived.keys() <= {notification.id for notification in outbox}
    assert {notification.state for notification in outbox} <= {"sent", "void", "failed"}
    for notification in outbox:
        if notification.state == "sent":
            assert notification.id in arrived, notification
        elif notification.state == "failed":
            # whoever takes no direct messages is told at their next command
            assert notification.id not in arrived
            assert notification.user_id in month.people.shut or notification.attempts >= 11, notification
        elif notification.kind in {"ping", "reminder"}:
            tried = (
                notification.next_attempt_at if notification.attempts else notification.due
            )  # it may lapse while it waits to be tried again
            assert lapsed(notification, referees[notification.game_id]) <= tried, notification
    # what cannot lose its reason: both hear that time is up, and of a claim the one who was late
    expected: Counter[str] = Counter()
    for game_id, referee in referees.items():
        kinds = Counter(kind for _, kind, *_ in referee.entries)
        expected[game_id] = 2 * kinds[Kind.TIMEOUT] + kinds[Kind.CLAIM]
    told = Counter(notification.game_id for notification in outbox if notification.kind == "time_up")
    assert told == +expected
    assert [
        notification for notification in outbox if notification.kind == "time_up" and notification.state == "void"
    ] == []


def lapsed(notification: Any, referee: Referee) -> int:
    """Returns when a ping or reminder lost its reason, by the record, in ms since 1970: an act or a time-out."""
    if notification.kind == "ping":
        later = [at for at, kind, *_ in referee.entries[notification.seq :] if kind not in {"hours", "away", "credit"}]
    else:  # it belongs to the turn that began in that second
        later = [at for at, *_ in referee.entries if at > notification.seq * 1000]
    return referee.started + min(later)


def check_variety(month: Month, records: dict[str, tuple[str, bool]], referees: dict[str, Referee]) -> None:
    """Checks that all that was to happen has happened."""
    kinds = Counter(line.split()[1] for text, _ in records.values() for line in text.partition("\n\n")[2].splitlines())
    assert min(kinds[kind] for kind in (Kind.TIMEOUT, Kind.HOURS, Kind.AWAY, Kind.CREDIT, Kind.CLAIM)) > 20, kinds
    assert kinds[Kind.RESUME] > 3
    texts = "".join(text for text, _ in records.values())
    for what in (
        "accept 0 adjourn",
        "accept 1 pause",
        "uncounted",
        "timeout_policy: claim",
        "timeout_policy: loss",
        "accept 0 draw",
    ):
        assert what in texts, what
    assert sum(referee.timeouts for referee in referees.values()) == kinds[Kind.TIMEOUT]
    assert {text.splitlines()[1] for text, _ in records.values()} == {f"game: {game}" for game in GAMES}
    assert month.mail.lost > 20
    assert month.mail.unsure > 20


@pytest.mark.thorough
async def test_the_same_seed_gives_the_same_month(sqlite_template: Path, tmp_path: Path) -> None:
    runs = []
    for run in range(2):
        path = tmp_path / f"{run}.sqlite3"
        copy(sqlite_template, path)
        database = Database(f"sqlite:///{path}")
        month = Month(database, SEED, people=12, number=25, days=10)
        await month.run()
        runs.append((await month.records(), month.mail.arrived))
        await database.close()
    assert runs[0] == runs[1]
