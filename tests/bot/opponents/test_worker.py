"""The worker that has the machines act: in many games after an absence, in each of them once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from fakes.thinker import FirstTurn
from harness.discord import until

from bot.games.new_game import NewGame
from bot.games.stored import Place
from bot.opponents.pool import Workers
from bot.opponents.service import OpponentService
from bot.opponents.worker import MOST, OpponentWorker

if TYPE_CHECKING:
    import pytest

    from bot.games.service import GameService

ANN, MACHINE = 11, 3


class NoBoards:
    """A publisher of games that nobody looks at."""

    async def wait_for_board(self, game_id: str, seconds: float) -> None:
        del game_id, seconds


async def first_shard(_: object) -> list[int]:
    return [0]


def working(games: GameService, thinker: FirstTurn) -> OpponentWorker:
    boards: Any = (NoBoards(), None)
    opponents = OpponentService(games, thinker, lambda: 0)
    return OpponentWorker(cast("Any", None), opponents, games, Workers(0, 1), boards, first_shard, lambda: 1)


async def test_after_an_absence_machines_act_in_some_games_at_a_time_and_in_each_once(
    games: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OpponentWorker, "pause", 0.0)
    thinker = FirstTurn()
    thinker.free.clear()
    worker, number = working(games, thinker), MOST + 3
    options = {"heap": 9, "dice": "no"}
    begun = [await games.open(NewGame("nim", options, Place(1, at), "en"), (MACHINE, ANN)) for at in range(number)]
    await worker.run_once()
    assert len(worker._at_work) == MOST
    thinker.free.set()
    await until(lambda: not worker._at_work, "they have acted")
    await worker.run_once()
    await until(lambda: not worker._at_work, "the others have acted, too")
    assert [(await games.newest(live.id)).seq for live in begun] == [1] * number
    assert len(thinker.asked) == number
    await worker.run_once()
    assert not worker._at_work
    await worker.close()


async def test_a_turn_that_comes_while_the_machine_is_at_work_is_answered_after_it(
    games: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person takes back and plays anew, while the machine thinks of what is gone."""
    monkeypatch.setattr(OpponentWorker, "pause", 0.0)
    thinker = FirstTurn()
    worker = working(games, thinker)
    games.subscribe(worker._on_commit)
    live = await games.open(NewGame("nim", {"heap": 9, "dice": "no"}, Place(1, 5), "en"), (ANN, MACHINE))
    thinker.free.clear()
    await games.play(live.id, ANN, None, "1")
    await until(lambda: thinker.asked, "the machine thinks")
    await games.ask_back(live.id, ANN)
    await games.answer(live.id, MACHINE, accept=True)
    await games.play(live.id, ANN, None, "2")
    thinker.free.set()

    async def replied() -> bool:
        return (await games.newest(live.id)).to_act == ANN

    await until(replied, "the machine replies")
    played = (await games.newest(live.id)).table.effective_entries
    assert [entry.body for entry in played] == ["2", "1"]
    await worker.close()
