"""The chain of secrets of a game: every roll is promised in public at least one commit before it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fakes.luck import ChainedLuck

from bot.games.new_game import NewGame
from bot.games.running.settling import RESERVE
from bot.games.service import GameService
from bot.games.stored import Place
from engine.core.chance import commitment, secrets_left
from engine.core.record import Kind
from engine.core.rolls import verify

if TYPE_CHECKING:
    from collections.abc import Callable

ANN, BOB = 1, 2
HEAP = 99


async def begin(games: GameService) -> Any:
    return await games.open(NewGame("nim", {"heap": HEAP}, Place(1, 5), "en"), (ANN, BOB))


async def played_out(
    games: GameService, live: Any, restart: Callable[[], GameService] | None = None
) -> tuple[Any, int]:
    """Plays the game to its end, and checks the public commitments before each commit. Also returns the number of
    commits with more than one roll.
    """
    crowded = 0
    public = {live.commitment, live.table.record.header.commitment}
    while live.to_act is not None:
        games = restart() if restart else games
        before = live.seq
        live = await games.play(live.id, live.to_act, live.seq, "1")
        rolls = [entry.body.split(" ") for entry in live.entries[before:] if entry.kind is Kind.CHANCE]
        crowded += len(rolls) > 1
        for _, secret, *_ in rolls:
            link, known = secret, False
            for _ in range(len(rolls) + 1):
                link = commitment(link)
                known |= link in public
            assert known, "nothing public before this commit promised the roll"
        public.add(live.commitment)
        assert secrets_left(live.secret) >= 1
        seed = live.secret.partition(":")[2]
        assert secrets_left(live.secret) == 1 or seed not in str(live.record) + repr(live)
    return live, crowded


@pytest.mark.parametrize("length", [1024, RESERVE + 2])
async def test_two_rolls_of_one_commit_are_both_promised_before(
    make_games: Callable[..., GameService], length: int
) -> None:
    games = make_games(ChainedLuck(1, length))
    live = await begin(games)
    live, crowded = await played_out(games, live)
    assert crowded > 5
    chances = [entry for entry in live.entries if entry.kind is Kind.CHANCE]
    assert verify(live.game, live.record) == len(chances) > 60
    assert any(entry.body.endswith(" new") for entry in chances) == (length < 1024)


@pytest.mark.both_databases
async def test_a_chain_goes_on_after_a_restart(make_games: Callable[..., GameService]) -> None:
    """With nothing but the database; the new process's own luck begins no new chain."""
    seeds = iter(range(100, 1000))
    live = await begin(make_games(ChainedLuck(1)))
    promised = live.table.record.header.commitment
    live, _ = await played_out(make_games(ChainedLuck(2)), live, lambda: make_games(ChainedLuck(next(seeds))))
    chances = [entry.body.split(" ") for entry in live.entries if entry.kind is Kind.CHANCE]
    for _, secret, following in chances:
        assert commitment(secret) == promised
        promised = following
        assert following == secret
    assert verify(live.game, live.record) == len(chances)
