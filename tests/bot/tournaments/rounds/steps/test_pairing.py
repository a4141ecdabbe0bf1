"""The final order: whoever was expelled cannot win."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from fakes.snapshots import Made, a_ladder, an_arena

from bot.tournaments.results.standing import final_places
from bot.tournaments.tournament import PlayerStatus, TournamentSnapshot

MADE: Final = {"arena": an_arena(), "ladder": a_ladder()}


def expelled(snapshot: TournamentSnapshot, number: int) -> TournamentSnapshot:
    players = [
        replace(player, status=PlayerStatus.EXPELLED) if player.number == number else player
        for player in snapshot.players
    ]
    return replace(snapshot, players=tuple(players))


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_who_is_expelled_comes_last_and_the_others_move_up(made: Made) -> None:
    before = final_places(made.snapshot)
    winner, *others = [one.entrant for one in before]
    after = final_places(expelled(made.snapshot, winner))
    assert [one.entrant for one in after] == [*others, winner]
    assert (after[0].first, after[-1].first, after[-1].last) == (1, len(before), len(before))


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_two_who_are_expelled_share_the_last_places(made: Made) -> None:
    before = [one.entrant for one in final_places(made.snapshot)]
    after = final_places(expelled(expelled(made.snapshot, before[0]), before[1]))
    assert {(one.first, one.last) for one in after if one.entrant in before[:2]} == {(len(before) - 1, len(before))}
