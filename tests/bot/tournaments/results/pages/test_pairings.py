"""What players read of their own games, or how to get one."""

from __future__ import annotations

import pytest
from fakes.snapshots import START, SWISS, Made, a_ladder, an_arena, names_of

from bot.core.translations import CODES, Language, language
from bot.tournaments.results.pages import pairings
from bot.tournaments.schedule import RESTING
from engine.registry import find
from engine.tournament.model import Format, Stage

EN, ES = language("en"), language("es")


@pytest.mark.parametrize(("say", "sides"), [(EN, ["White", "Black"]), (ES, ["blancas", "negras"])])
def test_players_read_which_side_they_play(say: Language, sides: list[str]) -> None:
    made = Made(SWISS, 2)
    made.pair()
    (stored,) = made.running
    names = names_of(made.snapshot)
    shown = [pairings.own_lines(made.snapshot, stored, number, names, START, say) for number in stored.pairing.players]
    seats = [say(f"side.{seat}") for seat in find("abalone").seats]
    assert sorted(seats) == sorted(sides)
    assert [
        lines[1].startswith(say("tournament.results.own.side", side=seat))
        for lines, seat in zip(shown, seats, strict=True)
    ] == [True, True]


def test_a_paused_tournament_states_no_deadline() -> None:
    made = Made((Stage(Format.SWISS, rounds=1),), 2)
    made.pair()
    (stored,), names = made.running, names_of(made.snapshot)
    running = pairings.own_lines(made.snapshot, stored, 1, names, START, EN)
    made.set(paused=START)
    paused = pairings.own_lines(made.snapshot, stored, 1, names, START, EN)
    assert [line for line in running if line not in paused] == [line for line in running if "<t:" in line] != []


@pytest.mark.parametrize("code", CODES)
def test_who_has_no_game_reads_how_to_get_one(code: str) -> None:
    """An arena looks for opponents of those who do not pause; in a ladder, players challenge each other."""
    say = language(code)

    def said(made: Made, free_since: int | None) -> str:
        made.player(2, free_since=free_since)
        return "".join(pairings.without_game(made.snapshot, 0, made.snapshot.player(2), say)).strip("*")

    arena, ladder = an_arena(), a_ladder()
    assert said(arena, START) == say("tournament.results.own.free")
    assert said(arena, RESTING) == say("tournament.results.own.resting")
    assert said(arena, None) == ""
    assert said(ladder, START) == say("tournament.results.own.challenge")
    ladder.player(2, ladder_place=1)
    assert said(ladder, START) == ""
