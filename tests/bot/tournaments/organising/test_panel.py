"""Organisers act by taps and by commands, over the socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.bot import private, told
from harness.discord import options
from harness.tournaments import plan_of, soon

from bot.core.translations import language
from bot.games.service import GameService
from bot.tournaments.tournament import PairingState
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from harness.tournaments import Event

EN = language("en")


async def test_a_game_is_decided_by_taps(event: Event) -> None:
    await event.create(plan_of(Format.SWISS, rounds=2))
    await event.start()
    first, _ = await event.round(1)
    olga = event.organiser
    await olga.slash("tournament adjudicate")
    assert "Decide a game" in told(olga)
    await olga.choose(str(first.id), menu="m:organise_pairing:", message=private(olga))
    shown = private(olga)
    assert len(shown["attachments"]) == 1
    assert options(shown)[0].endswith("wins")
    opened = await olga.choose("second", menu="m:organise_choice:", message=shown)
    await olga.submit(opened, {"reason": "He never came."})
    assert "He never came." in told(olga)
    assert "✅" in told(olga)
    (stored,) = [one for one in (await event.whole()).pairings if one.id == first.id]
    assert (stored.result, stored.state, stored.decided_by) == (Result.SECOND_WINS, PairingState.DONE, "organiser")
    line = await event.shows("**Cup**: ", "0\u20131")
    assert line.endswith("Reason: He never came.")

    async def over() -> bool:
        return (await event.bot.service(GameService).newest(first.game_id or "")).is_over

    await soon(over, "the game is over")
    live = await event.game(first)
    assert live.outcome is not None
    winner = (await event.whole()).player(first.pairing.second or 0).user_id
    assert live.players[live.outcome.winner or 0] == winner
