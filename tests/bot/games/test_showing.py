"""Tests which games have something to show, and who is told of it."""

import pytest
from fakes.clock import Clock
from fakes.unshown import unshown
from structlog.testing import capture_logs

from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place

ANN, BOB = 11, 22
HERE = Place(1, 5)


async def quiet(games: GameService, place: Place = HERE) -> LiveGame:
    """Begins a game without dice; Ann has the first turn."""
    return await games.open(NewGame("nim", {"heap": 9, "dice": "no"}, place, "en"), (ANN, BOB))


@pytest.mark.both_databases
async def test_what_has_to_be_shown(games: GameService, clock: Clock) -> None:
    first = await quiet(games, place=Place(1, 1))
    clock.pass_seconds(1)
    second = await quiet(games, place=Place(1, 2))
    assert await unshown(games.repository.database) == [first.id, second.id]  # before their first entry, too
    await games.shown(first.id, 0, 71)
    assert await unshown(games.repository.database) == [second.id]
    played = await games.play(first.id, ANN, 0, "1")
    assert (played.shown_seq, played.message_id, len(played.unseen)) == (0, 71, 1)
    await games.shown(second.id, 0, 72)
    assert await unshown(games.repository.database) == [first.id]
    await games.shown(first.id, 1, None)
    assert (await games.get(first.id)).message_id == 71


@pytest.mark.both_databases
async def test_a_late_message_does_not_bring_an_old_board_back(games: GameService) -> None:
    live = await quiet(games)
    await games.play(live.id, ANN, 0, "1")
    await games.shown(live.id, 1, 82)
    await games.shown(live.id, 0, 81)
    kept = await games.get(live.id)
    assert (kept.shown_seq, kept.message_id) == (1, 82)
    assert await unshown(games.repository.database) == []


async def test_listeners_hear_of_every_commit_and_cannot_break_one(games: GameService) -> None:
    heard: list[tuple[str, int]] = []

    def fall(_: LiveGame) -> None:
        raise RuntimeError("listener")

    games.subscribe(fall)
    games.subscribe(lambda live: heard.append((live.id, live.seq)))
    with capture_logs() as logs:
        live = await quiet(games)
        await games.play(live.id, ANN, 0, "1")
        await games.shown(live.id, 1, 5)
    assert heard == [("g1", 0), ("g1", 1)]
    assert [entry["event"] for entry in logs] == ["listener failed"] * 2
