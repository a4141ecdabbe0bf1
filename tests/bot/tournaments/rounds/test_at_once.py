"""A round robin whose games all begin at once: one round, one notice for each player, results in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from harness.tournaments import plan_of
from sqlalchemy import select

from bot.core.translations import CODES, language
from bot.notifications.model import SENT
from bot.notifications.service import NotificationService
from bot.notifications.tables import notifications
from bot.tournaments.registration.service import RegistrationService
from bot.tournaments.rounds.grouped_notices import BEGUN, DEADLINES, LATES, OPENING
from bot.tournaments.rounds.notices import DEADLINE, LATE, PAIRED
from bot.tournaments.tournament import LateRule, PairingState, Status
from engine.core.errors import Refused
from engine.core.hours import DAY
from engine.tournament.model import Format, Result, Stage, Ties

if TYPE_CHECKING:
    from harness.tournaments import Desk

    from bot.tournaments.tournament import Plan, StoredPairing

KINDS = (BEGUN, DEADLINES, DEADLINE, LATES, LATE, PAIRED)


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """SQLite alone: what depends on the database is tested elsewhere."""
    return sqlite_url


def table(**more: Any) -> Plan:
    return plan_of(Format.ROUND_ROBIN, at_once=True, clock="3d/move", **more)


async def told(desk: Desk, *kinds: str) -> list[tuple[int, str]]:
    """Returns the users who have notices of these kinds, with the kind."""
    query = select(notifications.c.user_id, notifications.c.kind).where(notifications.c.kind.in_(kinds))
    rows = await desk.rounds.repository.database.fetch(query)
    return sorted((row.user_id, row.kind) for row in rows)


async def texts(desk: Desk, kind: str, code: str = "en") -> dict[int, str]:
    """Returns the texts of users' notices of a kind as they are now; "" if there is nothing to say."""
    service, read = desk.services[NotificationService], {}
    while due := await service.outbox.due(100):  # the first one of each user
        for notification in due:
            if notification.kind == kind:
                made = service.kinds[kind]
                text = await made.text(notification, language(code))
                assert bool(text) is await made.is_current(notification)
                read[notification.user_id] = text
            await service.store.settle(notification.id, SENT)
    return read


async def games_of(desk: Desk, number: int) -> list[StoredPairing]:
    return [one for one in (await desk.snapshot()).pairings if number in one.pairing.players]


async def test_all_games_are_one_round_and_end_in_any_order(desk: Desk) -> None:
    await desk.begin(table(), 4)
    running = await desk.running()
    assert [(one.pairing.round, one.pairing.board) for one in running] == [(1, board) for board in range(1, 7)]
    async with desk.rounds.repository.database.reading() as connection:
        assert len(await desk.service.repository.rounds(connection, desk.tournament_id)) == 1
    for stored in reversed(running):
        assert (await desk.snapshot()).tournament.status is Status.RUNNING
        await desk.win(stored, min(stored.pairing.players))
        await desk.go_on()
    snapshot = await desk.snapshot()
    assert (snapshot.tournament.status, snapshot.tournament.round) == (Status.OVER, 1)
    assert [player.first_place for player in snapshot.players] == [1, 2, 3, 4]
    assert (await desk.acts()).count("paired") == 1


async def test_each_player_hears_of_all_games_in_one_notice(desk: Desk) -> None:
    await desk.begin(table(round_length=60 * DAY), 5)
    assert await told(desk, *KINDS) == [(1000 + number, BEGUN) for number in range(1, 6)]
    assert await texts(desk, BEGUN) == {}  # not before the games are there
    desk.clock.pass_seconds(OPENING / 1000)
    read = await texts(desk, BEGUN)
    assert sorted(read) == [1001, 1002, 1003, 1004, 1005]
    own = await games_of(desk, 1)
    assert all(f"<#{stored.channel_id}>" in read[1001] for stored in own)
    assert read[1001].startswith("**Cup**: all your 4 games have begun: ")
    assert read[1001].count("<#") == 4
    assert "Time: " in read[1001]
    assert "The round ends <t:" in read[1001]


@pytest.mark.parametrize("code", CODES)
async def test_a_notice_that_comes_late_names_what_still_goes_on(desk: Desk, code: str) -> None:
    await desk.begin(table(), 3)
    for stored in await games_of(desk, 1):
        await desk.win(stored, 1)
    desk.clock.pass_seconds(OPENING / 1000)
    read = await texts(desk, BEGUN, code)
    assert read[1001] == ""
    assert read[1002].count("<#") == 1


async def test_round_by_round_has_a_notice_for_each_game(desk: Desk) -> None:
    await desk.begin(plan_of(Format.ROUND_ROBIN, clock="3d/move"), 4)
    assert await told(desk, *KINDS) == [(1000 + number, PAIRED) for number in range(1, 5)]


async def test_a_deadline_of_several_games_is_one_warning(desk: Desk) -> None:
    await desk.begin(table(round_length=60 * DAY), 4)
    ended = [one for one in await desk.running() if one.pairing.players not in {(1, 2), (1, 3), (2, 1), (3, 1)}]
    for stored in ended:
        await desk.win(stored, stored.pairing.first)
    await desk.go_on(59 * 86400 + 60)
    assert await told(desk, DEADLINE, DEADLINES) == [(1001, DEADLINES), (1002, DEADLINE), (1003, DEADLINE)]
    (text,) = (await texts(desk, DEADLINES)).values()
    assert "2 of your games must end by <t:" in text
    assert text.endswith("After that, the player on move loses each of them.")
    await desk.go_on(60)
    assert len(await told(desk, DEADLINE, DEADLINES)) == 3


@pytest.mark.parametrize(
    ("rule", "ends"),
    [(LateRule.EXTEND, "After that they may take another 2 days."), (LateRule.ORGANISER, "an organiser decides them.")],
)
async def test_a_warning_says_what_follows(desk: Desk, rule: LateRule, ends: str) -> None:
    await desk.begin(table(round_length=60 * DAY, late_rule=rule), 3)
    await desk.go_on(59 * 86400 + 60)
    read = await texts(desk, DEADLINES)
    assert len(read) == 3
    assert all(text.endswith(ends) for text in read.values())


async def test_after_the_extension_whoever_is_on_move_loses(desk: Desk) -> None:
    await desk.begin(table(round_length=60 * DAY, late_rule=LateRule.EXTEND), 3)
    await desk.go_on(60 * 86400 + 60)
    await desk.go_on(86400)
    warned = [text for text in (await texts(desk, DEADLINES)).values() if text]
    assert len(warned) == 3
    assert all(text.endswith("After that, the player on move loses each of them.") for text in warned)
    await desk.go_on(86400)
    await desk.go_on()
    assert (await desk.snapshot()).tournament.status is Status.OVER


async def test_organisers_hear_of_all_late_games_at_once(desk: Desk) -> None:
    await desk.begin(table(round_length=60 * DAY, late_rule=LateRule.ORGANISER), 6)
    await desk.go_on(60 * 86400 + 60)
    assert await told(desk, LATE, LATES) == [(9, LATES)]
    (text,) = (await texts(desk, LATES)).values()
    assert text.startswith("**Cup**: 15 games are late: ")
    assert text.count("<#") == 12
    assert "and 3 more" in text
    assert {one.state for one in (await desk.snapshot()).pairings} == {PairingState.LATE}


async def test_the_deadline_is_that_of_every_game(desk: Desk) -> None:
    await desk.begin(table(round_length=60 * DAY), 3)
    await desk.go_on(60 * 86400 + 60)
    await desk.go_on()
    snapshot = await desk.snapshot()
    assert snapshot.tournament.status is Status.OVER
    assert {one.result.played for one in snapshot.pairings if one.result} == {False}


async def test_who_withdraws_forfeits_all_running_games_and_counts_as_before(desk: Desk) -> None:
    await desk.begin(table(), 5)
    first, *_ = await games_of(desk, 1)
    await desk.win(first, 1)
    await desk.rounds.withdraw(desk.tournament_id, 1001)
    own = await games_of(desk, 1)
    assert all(one.state is PairingState.DONE for one in own)
    assert sum(one.result is not None and one.result.played for one in own) == 1
    assert len(await desk.running()) == 6
    for stored in await desk.running():
        await desk.win(stored, min(stored.pairing.players))
    await desk.go_on()
    players = (await desk.snapshot()).players
    assert [player.first_place for player in players] == [5, 1, 2, 3, 4]  # one of four games is less than half


async def test_nobody_enters_late(desk: Desk) -> None:
    await desk.begin(table(), 3)
    with pytest.raises(Refused) as refused:
        await desk.services[RegistrationService].join(desk.tournament_id, 1500, ())
    assert refused.value.key == "tournament.join.started"


@pytest.mark.parametrize("decide", [1, None])
async def test_a_play_off_follows_after_the_table(desk: Desk, decide: int | None) -> None:
    """Everything is drawn; or one beats all, and there is none."""
    await desk.begin(table(ties=Ties.PLAY_OFF), 3)
    for stored in await desk.running():
        if decide in stored.pairing.players:
            await desk.win(stored, decide)  # type: ignore[arg-type]
        else:
            await desk.draw(stored)
    await desk.go_on()
    snapshot = await desk.snapshot()
    assert snapshot.tournament.round == (1 if decide else 2)
    assert (snapshot.tournament.status is Status.OVER) is bool(decide)
    if not decide:
        assert await told(desk, PAIRED)  # of the play-off
        await desk.play_on(2)
        assert (await desk.snapshot()).tournament.status is Status.OVER


async def test_a_knockout_follows_after_the_groups(desk: Desk) -> None:
    groups = Stage(Format.ROUND_ROBIN, sections=2, qualifiers=2, at_once=True)
    plan = table()
    plan = type(plan)(plan.game, (groups, Stage(Format.SINGLE_ELIMINATION)), clock=plan.clock, timeout_policy="loss")
    await desk.begin(plan, 7)
    assert len(await desk.running()) == 6 + 3
    await desk.play_on(1)
    assert [one.pairing.slot for one in await desk.of_round(2)] == ["W1-1", "W1-2"]
    await desk.play_on(2)
    snapshot = await desk.snapshot()
    assert snapshot.tournament.status is Status.OVER
    assert snapshot.tournament.round == 3


async def test_another_process_goes_on_in_the_middle(desk: Desk) -> None:
    """Nothing of the table is in memory: half of the games are opened by one process, half by another."""
    await desk.create(table(), 4)
    await desk.rounds.start(desk.tournament_id, 9)
    await desk.rounds.advance(desk.tournament_id)
    now = desk.clock()
    first = await desk.openings.repository.unopened(now, 3, now + 60_000)
    assert [one.stored.pairing.board for one in first] == [1, 2, 3]
    other = type(desk).on(desk.rounds.repository.database, desk.clock, desk.tournament_id)
    await other.go_on(61)  # the leases of the one that died are over
    assert len(await other.running()) == 6
    await desk.play_round()
    await other.go_on()
    snapshot = await desk.snapshot()
    assert snapshot.tournament.status is Status.OVER
    assert {one.result for one in snapshot.pairings} <= {Result.FIRST_WINS, Result.SECOND_WINS}
    assert len({one.game_id for one in snapshot.pairings}) == 6
