"""Decisions from outside on both databases: they end a game and its match for everybody, once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from fakes.outbox import ANN, HERE
from harness.match_service import begin, present, stored
from sqlalchemy import select, update

from bot.core.storage.database import Database
from bot.games.rebuild import Checked
from bot.games.service import GameService
from bot.games.tables import games as rows
from bot.matches.contests import FinishedContest
from bot.matches.finished import contest_of, single_games
from bot.matches.rebuild import rebuild_matches
from bot.matches.service import MatchService
from engine.core.clock import HOUR
from engine.core.errors import Refused
from engine.match.match import Terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from fakes.clock import Clock
    from sqlalchemy.ext.asyncio import AsyncConnection

    from bot.games.live import LiveGame


@pytest.mark.parametrize(
    ("result", "why", "winner", "drawn", "reason"),
    [
        ("0", "decision", 0, False, "adjudicated"),
        ("1", "forfeit", 1, False, "forfeited"),
        ("draw", "decision", None, True, "adjudicated_draw"),
        ("void", "", None, False, "voided"),
    ],
)
@pytest.mark.parametrize("turns", [1, 2])
async def test_a_decision_ends_a_game_for_everybody(
    matches: MatchService,
    games: GameService,
    database: Database,
    ends: list[FinishedContest],
    *,
    result: Any,
    why: str,
    winner: int | None,
    drawn: bool,
    reason: str,
    turns: int,
) -> None:
    live = await begin(matches, Terms(), "abalone", rated=True)
    for turn in ("a1b1", "g5f5")[:turns]:
        live = await games.play(live.id, live.to_act or 0, None, turn)
    heard: list[str] = []
    games.subscribe(lambda changed: heard.append(changed.id))
    over = await games.adjudicate(live.id, result, why)
    (contest,) = ends
    assert (contest.winner, contest.drawn, contest.reason) == (winner, drawn, f"end.{reason}")
    assert contest.counts == over.table.counts == (turns == 2 and result != "void")
    assert heard == [live.id]
    assert await games.at(HERE.channel_id) is None
    with pytest.raises(Refused, match=r"table\.over"):
        await games.adjudicate(live.id, "void")
    if contest.counts:
        async with database.reading() as connection:
            stored = contest_of((await connection.execute(single_games())).one())
        assert stored == replace(contest, absent=None)  # who is to blame does not matter for ratings
    assert contest.absent == (None if why != "forfeit" else 1 - int(result))
    assert contest.unplayed == (why == "forfeit" and turns == 0)


@pytest.mark.parametrize(
    ("result", "why", "winner", "reason"),
    [
        ("1", "decision", 1, "adjudicated"),
        ("0", "forfeit", 0, "adjudicated_forfeit"),
        ("draw", "decision", None, "adjudicated_draw"),
        ("void", "", None, "voided"),
    ],
)
async def test_a_decision_ends_the_whole_match(
    matches: MatchService,
    games: GameService,
    database: Database,
    ends: list[FinishedContest],
    result: Any,
    why: str,
    winner: int | None,
    reason: str,
) -> None:
    first = await begin(matches, rated=True)
    await games.resign(first.id, ANN, 3)
    second = await present(games)
    await games.adjudicate(second.id, result, why)
    (contest,) = ends
    assert (contest.is_match, contest.winner, contest.reason) == (True, winner, f"match.{reason}")
    assert (contest.drawn, contest.counts) == (result == "draw", result != "void")
    assert await games.at(HERE.channel_id) is None
    (row,) = await stored(database)
    assert (row["status"], row["winner"], row["reason"]) == ("over", winner, contest.reason)
    assert [checked async for checked in rebuild_matches(database)] == [Checked(first.record.header.match)]


@pytest.mark.both_databases
async def test_what_is_written_along_with_a_decision_is_written_with_it_or_not_at_all(
    matches: MatchService, games: GameService, database: Database, ends: list[FinishedContest]
) -> None:
    live = await begin(matches, Terms(), "abalone")
    seen: list[tuple[bool, int]] = []

    async def also(connection: AsyncConnection, over: LiveGame) -> None:
        seen.append((over.is_over, len(ends)))
        await connection.execute(update(rows).values(locale="es"))
        if len(seen) == 1:
            raise RuntimeError("made by the test")

    with pytest.raises(RuntimeError, match="made by the test"):
        await games.adjudicate(live.id, "draw", also=also)
    assert (await games.get(live.id)).seq == 0
    await games.adjudicate(live.id, "draw", also=also)
    assert seen == [(True, 1), (True, 2)]  # the hooks come first
    async with database.reading() as connection:
        found = (await connection.execute(select(rows.c.status, rows.c.locale))).one()
    assert tuple(found) == ("over", "es")


@pytest.mark.both_databases
async def test_a_decision_holds_for_the_game_as_another_process_left_it(
    matches: MatchService, games: GameService, make_games: Callable[..., GameService]
) -> None:
    live = await begin(matches, Terms(), "abalone")
    other = make_games(prefix="o")
    moved = await other.play(live.id, ANN, None, "a1b1")
    over = await games.adjudicate(live.id, "0", "forfeit")
    assert over.seq == moved.seq + 1
    done = await asyncio.gather(
        *(service.adjudicate(live.id, "1") for service in (games, other)), return_exceptions=True
    )
    assert all(isinstance(one, Refused) and one.key == "table.over" for one in done)


@pytest.mark.both_databases
async def test_of_two_decisions_at_once_one_holds(
    matches: MatchService, games: GameService, make_games: Callable[..., GameService], ends: list[FinishedContest]
) -> None:
    live = await begin(matches, Terms(), "abalone")
    other = make_games(prefix="o")
    given = [games.adjudicate(live.id, "0"), other.adjudicate(live.id, "1"), games.adjudicate(live.id, "void")]
    done = await asyncio.gather(*given, return_exceptions=True)
    assert sum(isinstance(one, Refused) for one in done) == 2, done
    assert (await other.newest(live.id)).seq == 1
    assert len(ends) <= 1


async def test_a_loss_on_time_comes_before_a_decision(
    matches: MatchService, games: GameService, clock: Clock, ends: list[FinishedContest]
) -> None:
    live = await begin(matches, Terms(), "abalone", clock="1h/move", timeout_policy="loss")
    clock.at += 3 * HOUR
    with pytest.raises(Refused, match=r"table\.over"):
        await games.adjudicate(live.id, "0")
    assert [(contest.winner, contest.drawn, contest.reason) for contest in ends] == [(None, False, "end.aborted")]
