"""The bracket: how players go on, scores, and those who have left."""

from __future__ import annotations

import pytest
from fakes.result_pages import page
from fakes.snapshots import Made, names_of

from bot.core.translations import Language, language
from bot.tournaments.results.pages import bracket
from bot.tournaments.results.pages.build import BRACKET
from bot.tournaments.results.words import DASH
from bot.tournaments.tournament import PlayerStatus
from engine.tournament.model import Format, Result, Stage

EN, ES = language("en"), language("es")


async def test_the_second_final_follows_the_first() -> None:
    """Somebody who comes from the losers' bracket wins the grand final."""
    for seed in range(40):
        made = Made((Stage(Format.DOUBLE_ELIMINATION),), 4, seed=seed).finish()
        if any(one.pairing.slot == "F2" for one in made.snapshot.pairings):
            break
    view = bracket.view_of(made.snapshot, 1, names_of(made.snapshot), "", EN, "wood", None, {})
    goes_to = {slot.id: slot.winner_to for slot in view.slots}
    assert (goes_to["F1"], goes_to["F2"]) == ("F2", "")
    assert "Second final:" in "\n".join((await page(made, BRACKET)).page.lines)


async def test_the_bracket_says_where_players_come_from() -> None:
    made = Made((Stage(Format.DOUBLE_ELIMINATION),), 6).rounds_of(1)
    built = await page(made, BRACKET, reader=1)
    said = "\n".join(built.page.lines)
    assert "Ana goes on with a bye." in said
    assert "Winner of 2" in said
    assert "Loser of " in said
    view = bracket.view_of(made.snapshot, 1, names_of(made.snapshot), "", EN, "wood", 1, {})
    assert any(line.is_reader for slot in view.slots for line in slot.lines)
    assert not any(line.known and not line.name for slot in view.slots for line in slot.lines)
    ids = {slot.id for slot in view.slots}
    assert {slot.winner_to for slot in view.slots} <= ids | {""}


async def test_a_bracket_has_the_scores_of_matches_and_the_names_of_its_rounds() -> None:
    made = Made((Stage(Format.DOUBLE_ELIMINATION),), 8).rounds_of(1)
    first, second, third, fourth = (stored for stored in made.snapshot.pairings if stored.pairing.round == 1)
    made.settle(second, Result.FIRST_WINS_BY_FORFEIT, "forfeit")
    scores = {stored.contest_id or "": (7.0, 3.5) for stored in (first, second, third)}
    view = bracket.view_of(made.snapshot, 1, names_of(made.snapshot), "", EN, "wood", None, scores)
    shown = {slot.id: [line.score for line in slot.lines] for slot in view.slots}
    seats = {stored.pairing.slot: stored.pairing for stored in (first, second, third, fourth)}
    assert sorted(shown[first.pairing.slot]) == sorted(["7", "3½"])
    assert sorted(shown[second.pairing.slot]) == sorted(["+", DASH])
    assert sorted(shown[fourth.pairing.slot]) == ["0", "1"]
    slot = next(slot for slot in view.slots if slot.id == third.pairing.slot)
    scored = {line.name: line.score for line in slot.lines}
    assert scored[names_of(made.snapshot)[seats[slot.id].first]] == "7"
    heads = [text for _, text in sorted(dict(view.heads).items())]  # F1, L1 to L4, W1 to W3
    assert heads == ["Grand final", "Round 1", "Round 2", "Semi-final", "Final", "Round 1", "Semi-finals", "Final"]


@pytest.mark.parametrize("say", [EN, ES])
async def test_a_bracket_says_of_draws_who_goes_on(say: Language) -> None:
    made = Made((Stage(Format.SINGLE_ELIMINATION),), 2).rounds_of(1)
    names = names_of(made.snapshot)
    (first,) = made.snapshot.pairings
    made.settle(first, Result.DRAW)
    one, other = (names[number] for number in first.pairing.players)
    again = say("tournament.results.slot.drew", first=one, second=other)
    assert again in "\n".join((await page(made, BRACKET, say=say)).page.lines)
    made.rounds_of(1)
    made.settle(made.snapshot.pairings[-1], Result.DRAW)
    shown = (await page(made, BRACKET, say=say)).page
    told = say("tournament.results.slot.drew_twice", winner=names[1], loser=names[2])
    assert told in "\n".join(shown.lines)
    assert told in "\n".join(shown.short)


async def test_a_bracket_marks_players_who_have_left() -> None:
    """They are struck through, and named as such in words."""
    made = Made((Stage(Format.SINGLE_ELIMINATION),), 4).rounds_of(1)
    first, second = (stored.pairing for stored in made.snapshot.pairings)
    made.player(first.players[0], status=PlayerStatus.WITHDRAWN, last_round=1)
    made.player(second.players[1], status=PlayerStatus.EXPELLED, last_round=1)
    names = names_of(made.snapshot)
    view = bracket.view_of(made.snapshot, 1, names, "", EN, "wood", None, {})
    assert {line.name for slot in view.slots for line in slot.lines if line.withdrawn} == {
        names[first.players[0]],
        names[second.players[1]],
    }
    said = "\n".join((await page(made, BRACKET)).page.lines)
    assert f"{names[first.players[0]]} (left)" in said
    assert f"{names[second.players[1]]} (expelled)" in said
