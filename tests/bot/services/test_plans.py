"""Conditional plays: followed, left, chained, taken back, over; never other than planned, whoever edits meanwhile."""

import asyncio
import os
import random
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from fakes.clock import Clock
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.i18n import CODES, language
from bot.services.companion import Companion, PlansChanged, Reply
from bot.services.plan_tree import played
from bot.services.plans import LIMIT, RESIGN, TEXTS, Dropped, Plans
from bot.services.tables import Place, Seated, Tables
from bot.store.db import Database
from bot.store.plans import PlanStore
from bot.store.schema import plans as stored_plans
from engine.core.errors import Refused, RuleError
from engine.core.record import Kind
from engine.registry import GAMES

ANN, BOB, EVE = 11, 22, 33
HERE = Place(1, 5)
ROOT = Path(__file__).parents[3]
MakeTables = Callable[..., Tables]


class Book:
    """Plans with what they told, and a game of Nim without dice in which Ann begins."""

    def __init__(self, database: Database, make_tables: MakeTables, clock: Clock) -> None:
        self.told: list[Dropped] = []
        self.plans = Plans(PlanStore(database), clock, self._tell)
        self.make_tables = make_tables
        self.tables = self.process()

    async def _tell(self, connection: AsyncConnection, seated: Seated, gone: Dropped) -> None:
        del connection, seated
        self.told.append(gone)

    def process(self, *more: Companion) -> Tables:
        """The tables as one more process has them."""
        return self.make_tables(companions=[self.plans, *more])

    async def begin(self, heap: int = 21, **more: Any) -> Seated:
        return await self.tables.open("nim", {"heap": heap, "dice": "no"}, (ANN, BOB), HERE, "en", **more)

    async def lay(self, seated: Seated, user: int, *line: str) -> int:
        """Lays down a line, ``their, reply, their, reply …``; the last plan's id."""
        after = None
        for their, reply in zip(line[::2], [*line[1::2], None], strict=False):
            after = (await self.plans.suppose(seated, user, after, their)).id
            if reply is not None:
                await self.plans.answer(seated, user, after, reply)
        assert after is not None
        return after

    async def left(self, seated: Seated) -> list[tuple[int, str, str | None]]:
        """What is stored: whose, and the plan."""
        return [(plan.seat, plan.their, plan.reply) for plan in await self.plans.store.of(seated.id)]


@pytest.fixture
def book(database: Database, make_tables: MakeTables, clock: Clock) -> Book:
    return Book(database, make_tables, clock)


def bodies(seated: Seated) -> list[tuple[str, int, str]]:
    return [(entry.kind.value, entry.seat, entry.body) for entry in seated.table.record.entries]


# --- followed --------------------------------------------------------------------------------------------------------


async def test_what_was_planned_is_played_with_the_turn_it_answers_and_takes_no_time(book: Book, clock: Clock) -> None:
    seated = await book.begin(clock="1h+1h", policy="loss")
    await book.lay(seated, BOB, "2", "3", "1", "1")
    clock.pass_seconds(600)
    after = await book.tables.play(seated.id, ANN, seated.seq, "2")
    assert bodies(after) == [("play", 0, "2"), ("planned", 1, "3")]
    assert {entry.at for entry in after.table.record.entries} == {600_000}
    assert after.table.clock is not None
    assert after.table.clock.left(1, 600_000) == 7_200_000  # the hour, and the one that a turn adds
    assert await book.left(seated) == [(1, "1", "1")]
    assert await book.process().get(seated.id) == after
    again = await book.tables.play(seated.id, ANN, after.seq, "1")
    assert bodies(again)[2:] == [("play", 0, "1"), ("planned", 1, "1")]
    assert (await book.left(seated), book.told) == ([], [])


async def test_of_several_branches_the_one_that_fits_is_followed(book: Book) -> None:
    seated = await book.begin()
    for their, reply in ("1", "3"), ("2", "2"), ("3", "1"):
        await book.lay(seated, BOB, their, reply, "1", reply, "1", "1")
        await book.lay(seated, BOB, their, reply, "2", "2")
    after = await book.tables.play(seated.id, ANN, seated.seq, "3")
    assert bodies(after)[1:] == [("planned", 1, "1")]
    assert await book.left(seated) == [(1, "1", "1"), (1, "1", "1"), (1, "2", "2")]
    tree = await book.plans.tree(after, BOB)
    assert [plan.their for plan in tree.below(None)] == ["1", "2"]


async def test_a_tree_is_followed_turn_by_turn(book: Book) -> None:
    seated = await book.begin()
    await book.lay(seated, BOB, "1", "1", "2", "2", "3", "3")
    for number, text in enumerate("123"):
        seated = await book.tables.play(seated.id, ANN, seated.seq, text)
        assert bodies(seated)[2 * number :] == [("play", 0, text), ("planned", 1, text)]
    assert (await book.left(seated), book.told) == ([], [])


async def test_plans_of_both_sides_set_one_another_off(book: Book) -> None:
    """Bob's waits for his answer to a draw; meanwhile Ann plans, too."""
    seated = await book.begin()
    await book.lay(seated, BOB, "1", "2", "3", "1", "2", "2")
    await book.tables.offer_draw(seated.id, ANN)
    waiting = await book.tables.play(seated.id, ANN, None, "1")
    await book.lay(waiting, ANN, "2", "3", "1", "1", "1", "1")
    after = await book.tables.answer(waiting.id, BOB, accept=False)
    chain = [("planned", 1, "2"), ("planned", 0, "3"), ("planned", 1, "1"), ("planned", 0, "1")]
    assert bodies(after)[3:] == chain
    assert await book.left(seated) == [(0, "1", "1")]
    assert book.told == [Dropped(BOB, 1, "other", "1")]
    assert {entry.at for entry in after.table.record.entries[2:]} == {after.table.record.entries[-1].at}
    assert await book.process().get(seated.id) == after


# --- left ------------------------------------------------------------------------------------------------------------


async def test_a_line_that_is_left_is_dropped_and_told_once(book: Book) -> None:
    seated = await book.begin()
    await book.lay(seated, BOB, "2", "3")
    await book.lay(seated, BOB, "1", "1")
    after = await book.tables.play(seated.id, ANN, seated.seq, "3")
    assert bodies(after) == [("play", 0, "3")]
    assert await book.left(seated) == []
    assert book.told == [Dropped(BOB, 1, "other", "3")]
    await book.tables.play(seated.id, BOB, after.seq, "1")
    assert len(book.told) == 1


async def test_what_is_half_entered_answers_nothing_and_is_no_reason_to_tell(book: Book) -> None:
    seated = await book.begin()
    await book.lay(seated, BOB, "2")
    after = await book.tables.play(seated.id, ANN, seated.seq, "2")
    assert bodies(after) == [("play", 0, "2")]
    assert (await book.left(seated), book.told) == ([], [])


async def test_a_game_that_is_over_leaves_no_plans_and_tells_nobody(book: Book) -> None:
    seated = await book.begin()
    await book.lay(seated, BOB, "2", "3", "1", "1")
    await book.tables.resign(seated.id, ANN, 2)
    assert (await book.left(seated), book.told) == ([], [])


@pytest.mark.parametrize(("what", "why"), [("takeback", "takeback"), ("adjourn 3d/move", "clock")])
async def test_what_both_agree_on_drops_the_plans_of_both(book: Book, what: str, why: str) -> None:
    seated = await book.begin(clock="1h", policy="loss")
    seated = await book.tables.play(seated.id, ANN, seated.seq, "1")
    seated = await book.tables.play(seated.id, BOB, seated.seq, "1")
    await book.lay(seated, BOB, "2", "3", "1", "1")
    if what == "takeback":
        await book.tables.ask_back(seated.id, BOB)
    else:
        await book.tables.offer(seated.id, BOB, what)
    assert len(await book.left(seated)) == 2  # asked is not agreed
    await book.tables.answer(seated.id, ANN, accept=True)
    assert await book.left(seated) == []
    assert book.told == [Dropped(BOB, 1, why, "")]


async def test_a_plan_that_became_illegal_is_dropped_with_a_notice(book: Book, database: Database) -> None:
    seated = await book.begin()
    await book.lay(seated, BOB, "2", "3", "1", "1")
    async with database.writing() as connection:
        await connection.execute(update(stored_plans).where(stored_plans.c.their == "2").values(reply="9"))
    after = await book.tables.play(seated.id, ANN, seated.seq, "2")
    assert bodies(after) == [("play", 0, "2")]
    assert await book.left(seated) == []
    assert book.told == [Dropped(BOB, 1, "illegal", "")]


# --- offers, pauses --------------------------------------------------------------------------------------------------


async def test_an_offer_is_answered_before_the_plan_goes_on(book: Book) -> None:
    seated = await book.begin()
    await book.lay(seated, BOB, "2", "3", "1", "1")
    await book.tables.offer_draw(seated.id, ANN)
    after = await book.tables.play(seated.id, ANN, None, "2")
    assert bodies(after)[-1] == ("play", 0, "2")
    assert await book.left(seated) == [(1, "2", "3"), (1, "1", "1")]
    declined = await book.tables.answer(seated.id, BOB, accept=False)
    assert bodies(declined)[-1] == ("planned", 1, "3")
    assert await book.left(seated) == [(1, "1", "1")]


async def test_who_plays_something_else_instead_has_left_by_themselves(book: Book) -> None:
    seated = await book.begin()
    await book.lay(seated, BOB, "2", "3", "1", "1")
    await book.tables.offer_draw(seated.id, ANN)
    after = await book.tables.play(seated.id, ANN, None, "2")
    await book.tables.play(seated.id, BOB, after.seq, "1")
    assert (await book.left(seated), book.told) == ([], [])


async def test_notes_of_time_and_offers_leave_plans_as_they_are(book: Book) -> None:
    seated = await book.begin()
    await book.lay(seated, BOB, "2", "3")
    await book.tables.offer_draw(seated.id, BOB)
    declined = await book.tables.answer(seated.id, ANN, accept=False)
    assert await book.left(seated) == [(1, "2", "3")]
    assert bodies(await book.tables.play(seated.id, ANN, declined.seq, "2"))[-1] == ("planned", 1, "3")


# --- resigning -------------------------------------------------------------------------------------------------------


async def test_to_resign_can_be_planned(book: Book) -> None:
    seated = await book.begin()
    await book.lay(seated, BOB, "2", RESIGN)
    await book.lay(seated, BOB, "1", "3")
    after = await book.tables.play(seated.id, ANN, seated.seq, "2")
    assert bodies(after) == [("play", 0, "2"), ("resign", 1, "2")]
    assert after.table.outcome is not None
    assert after.table.outcome.winner == 0
    assert (await book.left(seated), book.told) == ([], [])


# --- what can be laid down -------------------------------------------------------------------------------------------


async def refused(action: Any) -> str:
    with pytest.raises(RuleError) as refusal:
        await action
    return refusal.value.key


async def test_who_may_plan_what(book: Book) -> None:
    plans, seated = book.plans, await book.begin(heap=5)
    assert await refused(plans.tree(seated, EVE)) == "table.not_a_player"
    assert await refused(plans.tree(seated, ANN)) == "plan.your_turn"
    assert await refused(plans.suppose(seated, BOB, None, "9")) == "nim.too_many"
    assert await refused(plans.suppose(seated, BOB, 77, "1")) == "plan.gone"
    first = await plans.suppose(seated, BOB, None, "3")
    assert await refused(plans.suppose(seated, BOB, first.id, "1")) == "plan.gone"  # no reply yet
    assert await refused(plans.answer(seated, BOB, first.id, "3")) == "nim.too_many"
    assert await refused(plans.answer(seated, ANN, first.id, "1")) == "plan.your_turn"
    await plans.answer(seated, BOB, first.id, "2")
    await plans.answer(seated, BOB, first.id, "2")
    assert await refused(plans.answer(seated, BOB, first.id, "1")) == "plan.answered"
    assert await refused(plans.suppose(seated, BOB, first.id, "1")) == "plan.ends"  # that reply has won
    assert await book.left(seated) == [(1, "3", "2")]
    over = await book.tables.resign(seated.id, ANN, 2)
    assert await refused(plans.tree(over, BOB)) == "table.over"
    assert await refused(plans.cut(seated, BOB, first.id)) == "table.stale"


async def test_a_turn_that_ends_the_game_needs_no_answer(book: Book) -> None:
    seated = await book.begin(heap=3)
    assert await refused(book.plans.suppose(seated, BOB, None, "3")) == "plan.ends"


async def test_with_dice_nothing_is_planned(book: Book) -> None:
    seated = await book.tables.open("nim", {"heap": 9}, (ANN, BOB), HERE, "en")
    assert await refused(book.plans.tree(seated, BOB)) == "plan.luck"


async def test_the_same_turn_is_one_plan(book: Book) -> None:
    seated = await book.begin()
    first = await book.plans.suppose(seated, BOB, None, "3")
    assert await book.plans.suppose(seated, BOB, None, " 3 ") == first
    found = await asyncio.gather(*(book.plans.suppose(seated, BOB, None, "2") for _ in range(4)))
    assert len({plan.id for plan in found}) == 1
    assert len(await book.left(seated)) == 2


async def test_thirty_plans_are_as_many_as_there_can_be(book: Book) -> None:
    seated = await book.begin(heap=99)
    await book.lay(seated, BOB, *["1"] * 20)
    await book.lay(seated, BOB, "2", *["1"] * 38)
    assert len(await book.left(seated)) == LIMIT
    assert await refused(book.plans.suppose(seated, BOB, None, "3")) == "plan.limit"
    await book.plans.suppose(seated, BOB, None, "1")  # there already
    tree = await book.plans.tree(seated, BOB)
    await book.plans.cut(seated, BOB, tree.below(None)[1].id)
    assert len(await book.left(seated)) == 10
    await book.plans.suppose(seated, BOB, None, "3")
    await book.plans.clear(seated, BOB)
    assert await book.left(seated) == []


async def test_nobody_sees_or_changes_the_plans_of_the_other(book: Book) -> None:
    seated = await book.begin()
    plan = await book.lay(seated, BOB, "2", "3")
    await book.tables.offer_draw(seated.id, ANN)
    after = await book.tables.play(seated.id, ANN, None, "2")  # Bob is to act, his plan waits for his answer
    assert (await book.plans.tree(after, ANN)).plans == ()
    for action in (book.plans.cut(after, ANN, plan), book.plans.answer(after, ANN, plan, "1")):
        assert await refused(action) == "plan.gone"
    await book.plans.clear(after, ANN)
    assert await book.left(seated) == [(1, "2", "3")]


async def test_a_turn_in_another_order_of_steps_is_the_same_turn(book: Book) -> None:
    game, rng = GAMES["apb"], random.Random(1)
    seated = await book.tables.open("apb", {}, (ANN, BOB), HERE, "en")
    state = seated.table.state
    one, other = next(
        (text, shuffled)
        for text in (random_turn(game, state, rng) for _ in range(200))
        if game.to_act(played(game, state, text)) is not None
        for shuffled in reordered(game, state, text)
    )
    plan = await book.plans.suppose(seated, BOB, None, one)
    assert await book.plans.suppose(seated, BOB, None, other) == plan
    reply = random_turn(game, played(game, state, one), rng)
    await book.plans.answer(seated, BOB, plan.id, reply)
    after = await book.tables.play(seated.id, ANN, seated.seq, other)
    assert bodies(after) == [("play", 0, other), ("planned", 1, reply)]


def reordered(game: Any, state: Any, text: str) -> Iterator[str]:
    """The same turn in other words."""
    for steps in permutations(game.parse(state, text)):
        try:
            other = game.format(state, steps)
            if other != text and played(game, state, other) == played(game, state, text):
                yield other
        except RuleError:
            continue


# --- at the same time ------------------------------------------------------------------------------------------------


class Meanwhile(Companion):
    """Does something between the look at the plans and the writing, once."""

    def __init__(self, action: Callable[[], Any]) -> None:
        self.action: Callable[[], Any] | None = action

    async def reply(self, before: Seated, now: Seated) -> Reply | None:
        del before, now
        if self.action:
            action, self.action = self.action, None
            await action()
        return None


async def test_a_plan_that_is_taken_back_in_between_is_not_played(book: Book) -> None:
    seated = await book.begin()
    plan = await book.lay(seated, BOB, "2", "3")
    tables = book.process(Meanwhile(lambda: book.plans.cut(seated, BOB, plan)))
    after = await tables.play(seated.id, ANN, seated.seq, "2")
    assert bodies(after) == [("play", 0, "2")]
    assert book.told == []


async def test_a_plan_that_is_made_in_between_is_played(book: Book) -> None:
    seated = await book.begin()
    tables = book.process(Meanwhile(lambda: book.lay(seated, BOB, "2", "3")))
    after = await tables.play(seated.id, ANN, seated.seq, "2")
    assert bodies(after) == [("play", 0, "2"), ("planned", 1, "3")]


async def test_plans_that_change_without_end_give_way_to_none(book: Book) -> None:
    class Restless(Companion):
        async def written(self, connection: AsyncConnection, before: Seated | None, after: Seated) -> None:
            del connection, after
            if before is not None:
                raise PlansChanged

    seated = await book.begin()
    assert await refused(book.process(Restless()).play(seated.id, ANN, seated.seq, "2")) == "table.stale"


async def test_edits_and_turns_at_once_never_disagree(book: Book) -> None:
    """Either the plan was there in time and is played, or the edit is refused and says so."""
    for number in range(6):
        seated = await book.tables.open("nim", {"heap": 21, "dice": "no"}, (ANN, BOB), Place(1, 100 + number), "en")
        case = await book.plans.suppose(seated, BOB, None, "2")
        other = book.process()
        done = await asyncio.gather(
            book.plans.answer(seated, BOB, case.id, "3"),
            other.play(seated.id, ANN, seated.seq, "2"),
            return_exceptions=True,
        )
        after = await book.process().get(seated.id)
        if isinstance(done[0], Refused):
            assert bodies(after) == [("play", 0, "2")]
        else:
            assert done[0] is None
            assert bodies(after) == [("play", 0, "2"), ("planned", 1, "3")]
        assert await book.left(seated) == []


async def test_an_end_in_the_middle_leaves_everything_as_it_was(book: Book) -> None:
    class Killed(Companion):
        async def written(self, connection: AsyncConnection, before: Seated | None, after: Seated) -> None:
            del connection, before, after
            raise OSError("the process ends")

    seated = await book.begin()
    await book.lay(seated, BOB, "2", "3", "1", "1")
    with pytest.raises(OSError, match="ends"):
        await book.process(Killed()).play(seated.id, ANN, seated.seq, "2")
    assert await book.left(seated) == [(1, "2", "3"), (1, "1", "1")]
    after = await book.process().play(seated.id, ANN, seated.seq, "2")
    assert bodies(after) == [("play", 0, "2"), ("planned", 1, "3")]


@pytest.mark.parametrize("after", [1, 4, 12])
async def test_a_killed_process_leaves_game_and_plans_of_one_moment(book: Book, database_url: str, after: int) -> None:
    seated = await book.begin(heap=99)
    await book.lay(seated, BOB, *["1"] * 2 * LIMIT)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        ROOT / "tests" / "fakes" / "planner.py",
        database_url,
        seated.id,
        stdin=PIPE,
        stdout=PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests")))},
    )
    assert process.stdin
    assert process.stdout
    assert await process.stdout.readline() == b"ready\n"
    process.stdin.write(b"\n" * LIMIT)
    told = [int(await process.stdout.readline()) for _ in range(after)]
    process.kill()  # SIGKILL, in the middle of whatever it does
    await process.communicate()
    now = await book.process().get(seated.id)
    assert now.seq >= told[-1] == 2 * after
    assert bodies(now) == [("play", 0, "1"), ("planned", 1, "1")] * (now.seq // 2)
    assert len(await book.left(seated)) == LIMIT - now.seq // 2
    on = await book.process().play(seated.id, ANN, now.seq, "1")
    assert len(bodies(on)) - now.seq == (2 if now.seq < 2 * LIMIT else 1)


# --- answers to a double ---------------------------------------------------------------------------------------------


async def cubed(book: Book) -> Seated:
    """Backgammon with the cube; Ann has played the opening roll, Bob is to roll or to double."""
    seated = await book.tables.open("backgammon", {"cube": "on"}, (ANN, BOB), HERE, "en")
    while seated.table.to_act != 1 or seated.table.last is None:
        game, state = seated.table.game, seated.table.state
        calling = "roll" if game.routine(state) is not None else ""
        text = calling or game.format(state, game.turns(state)[0][0])
        seated = await book.tables.play(seated.id, seated.to_act or 0, seated.seq, text)
    return seated


@pytest.mark.parametrize(("lasting", "stays"), [(True, 1), (False, 0)])
async def test_the_answer_to_a_double_waits_for_one_roll_or_for_the_double(
    book: Book, lasting: bool, stays: int
) -> None:
    seated = await cubed(book)
    await book.plans.answer_double(seated, ANN, "pass", lasting=not lasting)
    await book.plans.answer_double(seated, ANN, "take", lasting=lasting)
    plan = await book.plans.standing_answer(seated, ANN)
    assert plan is not None
    assert (plan.reply, plan.lasting) == ("take", lasting)
    assert await book.plans.standing_answer(seated, BOB) is None
    await book.tables.play(seated.id, BOB, seated.seq, "roll")
    assert len(await book.left(seated)) == stays
    assert book.told == []


async def test_a_double_is_answered_in_the_transaction_that_offers_it(book: Book) -> None:
    seated = await cubed(book)
    tables = book.process(Meanwhile(lambda: book.plans.answer_double(seated, ANN, "take", lasting=True)))
    after = await tables.play(seated.id, BOB, seated.seq, "double")
    assert [body.split()[0] for _, _, body in bodies(after)[seated.seq :]][:2] == ["double", "take"]
    assert after.table.record.entries[seated.seq + 1].kind is Kind.PLANNED
    assert await book.left(seated) == []
    assert await book.process().get(seated.id) == after


async def test_what_can_be_said_of_doubles(book: Book) -> None:
    plain = await book.begin()
    assert await refused(book.plans.standing_answer(plain, BOB)) == "plan.no_cube"
    await book.tables.resign(plain.id, BOB, 2)
    seated = await cubed(book)
    assert await refused(book.plans.standing_answer(seated, EVE)) == "table.not_a_player"
    assert await refused(book.plans.answer_double(seated, ANN, "roll", lasting=True)) == "plan.gone"
    assert await refused(book.plans.tree(seated, ANN)) == "plan.luck"
    await book.plans.answer_double(seated, ANN, "take", lasting=True)
    await book.plans.answer_double(seated, ANN, "", lasting=True)
    assert await book.left(seated) == []
    doubled = await book.tables.play(seated.id, BOB, seated.seq, "double")
    assert await refused(book.plans.standing_answer(doubled, ANN)) == "plan.answer_now"


# --- laws ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["abalone", "apb"])
@pytest.mark.parametrize("seed", range(4))
async def test_only_what_was_planned_happens_and_only_in_its_case(book: Book, key: str, seed: int) -> None:
    rng = random.Random(f"{key} {seed}")
    game = GAMES[key]
    seated = await book.tables.open(key, {}, (ANN, BOB), HERE, "en")
    for _ in range(12):
        if seated.table.outcome is not None:
            break
        mover = seated.table.to_act
        assert mover is not None
        planner, state = seated.players[1 - mover], seated.table.state
        wanted: dict[Any, str] = {}
        for _ in range(3):
            their = random_turn(game, state, rng)
            then = played(game, state, their)
            if game.to_act(then) is None:
                continue
            case = await book.plans.suppose(seated, planner, None, their)
            reply = random_turn(game, then, rng)
            if case.reply is None and then not in wanted:
                await book.plans.answer(seated, planner, case.id, reply)
                wanted[then] = game.format(then, game.parse(then, reply))
        text = rng.choice([their, random_turn(game, state, rng)])
        before = seated.seq
        known = {
            played(game, state, plan.their): plan.reply
            for plan in (await book.plans.tree(seated, planner)).plans
            if plan.parent is None
        }
        then = played(game, state, text)
        seated = await book.tables.play(seated.id, seated.players[mover], before, text)
        added = [entry for entry in seated.table.record.entries[before + 1 :] if entry.kind is Kind.PLANNED]
        expected = known.get(then)
        assert [entry.body for entry in added] == ([expected] if expected else [])


def random_turn(game: Any, state: Any, rng: random.Random) -> str:
    actor, at, steps = game.to_act(state), state, []
    while game.to_act(at) == actor:
        step = rng.choice(game.legal(at))
        steps.append(step)
        at = game.apply(at, step)
    return str(game.format(state, steps))


@pytest.mark.parametrize("code", CODES)
def test_each_reason_has_its_notice(code: str) -> None:
    about = {"game": "Nim", "opponent": "Ann", "link": "https://discord.com"}
    assert len({language(code)(f"notice.{text}", **about) for text in TEXTS.values()}) == 4
