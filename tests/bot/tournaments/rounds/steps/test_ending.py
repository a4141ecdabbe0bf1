"""Tests the end of a tournament: no title without a game, and a Swiss that ends early says so."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import AsyncMock

import pytest
from fakes.snapshots import Made
from harness.tournaments import plan_of

from bot.core.translations import CODES, language
from bot.tournaments.results.standing import early
from bot.tournaments.results.words import live_line
from bot.tournaments.rounds.delivery import words
from bot.tournaments.rounds.steps import pairing
from bot.tournaments.tournament import Status
from engine.tournament.model import Format, Result, Stage

if TYPE_CHECKING:
    from harness.tournaments import Desk


@pytest.mark.parametrize("format_", [Format.ROUND_ROBIN, Format.SINGLE_ELIMINATION, Format.LADDER])
async def test_nobody_wins_a_tournament_without_a_game(desk: Desk, format_: Format) -> None:
    await desk.begin(plan_of(format_), 2)
    if format_ is Format.LADDER:
        async with desk.service.changing(desk.tournament_id) as change:
            await pairing.end(change)
    else:
        await desk.rounds.withdraw(desk.tournament_id, 1002)
        await desk.go_on()
    snapshot = await desk.snapshot()
    assert snapshot.tournament.status is Status.OVER
    assert [player.first_place for player in snapshot.players] == [None, None]
    assert words.closing(snapshot, language("en")) == "**Cup** is over. No game was played, so nobody has won it."


async def test_who_wins_a_game_wins_a_tournament(desk: Desk) -> None:
    await desk.begin(plan_of(Format.SINGLE_ELIMINATION), 2)
    await desk.play_on(1)
    assert {player.first_place for player in (await desk.snapshot()).players} == {1, 2}


async def test_nothing_is_left_to_do_in_a_tournament_that_is_over(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    await desk.begin(plan_of(Format.SINGLE_ELIMINATION), 2)
    await desk.play_on(1)
    looks = AsyncMock(wraps=desk.service.snapshot)
    monkeypatch.setattr(desk.service, "snapshot", looks)
    await desk.rounds.advance(desk.tournament_id)
    assert looks.await_count == 1


@pytest.mark.parametrize("code", CODES)
def test_a_swiss_that_ends_early_says_so(code: str) -> None:
    """Of four players, each has met all others after three rounds."""
    say = language(code)
    made = Made((Stage(Format.SWISS, rounds=5),), 4)
    while made.pair():
        for stored in made.running:
            made.settle(stored, Result.FIRST_WINS)
    made.set(status=Status.OVER)
    for number in range(1, 5):
        made.player(number, first_place=number)
    assert early(made.snapshot) == (3, 5)
    (line,) = words.ended_early(made.snapshot, say)
    assert "3" in line
    assert "5" in line
    assert live_line(made.snapshot, say) == say("tournament.results.over_early", round=3, n=5)


def test_a_swiss_that_ends_in_time_says_nothing() -> None:
    made = Made((Stage(Format.SWISS, rounds=2),), 6).finish()
    assert early(made.snapshot) is None
    assert words.ended_early(made.snapshot, language("en")) == []
    assert live_line(made.snapshot, language("en")) == "The tournament is over"
