"""The draft of a turn, written into a custom_id."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from harness.thinning import one_of
from harness.walks import LUCKLESS, OF_STEPS, drafts, walk
from hypothesis import given
from hypothesis import strategies as st

from bot.core.translations import CODES, language
from bot.moves.draft import MAX_WHOLE_STEPS, Draft, follow, opening
from bot.moves.suggestions import suggestions
from engine.core.errors import Refused, RuleError
from engine.registry import GAMES

if TYPE_CHECKING:
    from engine.core.game import Game

NUMBERS = st.lists(st.integers(0, 999), max_size=9).map(tuple)


@given(steps=NUMBERS, words=NUMBERS)
def test_a_draft_is_read_back_as_it_was_written(steps: tuple[int, ...], words: tuple[int, ...]) -> None:
    draft = Draft(steps, words)
    assert Draft.read(str(draft)) == draft


@pytest.mark.parametrize("text", ["x", "1.x~~", "~y~", "1~2", "1~2~3~4", "1;2"])
def test_what_is_no_draft_is_outdated(text: str) -> None:
    with pytest.raises(Refused, match=r"picker\.outdated"):
        Draft.read(text)


@given(steps=NUMBERS, words=NUMBERS)
def test_undone_takes_back_the_last_choice(steps: tuple[int, ...], words: tuple[int, ...]) -> None:
    draft = Draft(steps, words)
    assert draft.word(7).undone() == draft
    assert Draft(steps).step(7).undone() == Draft(steps)
    while draft != Draft():
        shorter = draft.undone()
        assert len(shorter.steps) + len(shorter.words) == len(draft.steps) + len(draft.words) - 1
        draft = shorter


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("draft", [Draft((999,)), Draft((), (999,)), Draft((0,) * 60)])
def test_a_draft_that_does_not_fit_the_position_is_outdated(key: str, draft: Draft) -> None:
    game = GAMES[key]
    state = next(state for state in walk(game, random.Random(1)))
    with pytest.raises(Refused, match=r"picker\.outdated"):
        follow(game, state, draft)


@pytest.mark.parametrize("key", GAMES)
def test_every_legal_step_can_be_chosen(key: str) -> None:
    """All that is legal, nothing twice, is at the end of some way through the menus."""
    game = GAMES[key]
    for state in walk(game, random.Random(5), turns=20):
        found = []
        pending = [follow(game, state, Draft())]
        while pending:
            drafted = pending.pop()
            assert 0 < len(drafted.offered) <= (25 if game.enumerates_turns else 100)
            for draft, choice in drafted.offered:
                if choice.step is not None:
                    found.append(choice.step)
                    assert follow(game, state, draft).steps == (choice.step,)
                else:
                    pending.append(follow(game, state, draft))
        assert sorted(map(str, found)) == sorted(map(str, game.legal(state)))


@pytest.mark.parametrize("key", GAMES)
def test_what_has_no_alternative_is_chosen_already_and_undo_leaves_it(key: str) -> None:
    game, begun = GAMES[key], 0
    for seed in range(30 if key in OF_STEPS else 1):
        rng = random.Random(seed)
        for state in walk(game, rng, turns=40):
            first = follow(game, state, opening(game, state))
            assert first.undone() is None
            if first.complete:
                continue
            assert len(game.legal(first.state)) > 1
            begun += bool(first.steps)
            after = follow(game, state, rng.choice(first.offered)[0])
            assert after.undone() == first.draft
    assert begun > 5 or key in LUCKLESS


def test_some_games_have_more_steps_than_are_offered_whole() -> None:
    states = [(key, state) for key, game in GAMES.items() for state in walk(game, random.Random(5), turns=20)]
    assert {key for key, state in states if len(GAMES[key].legal(state)) > MAX_WHOLE_STEPS} >= {"abalone", "apb"}


@one_of("code", CODES)
@pytest.mark.parametrize("key", GAMES)
def test_what_is_suggested_is_legal_and_short_enough(key: str, code: str) -> None:
    game, say = GAMES[key], language(code)
    for state in walk(game, random.Random(3), turns=25):
        for typed in ("", "1", "b", "-", "6/"):
            for shown, text in suggestions(game, state, typed, say):
                assert 0 < len(shown) <= 100
                assert 0 < len(text) <= 100
                assert game.parse(state, text)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("key", GAMES)
def test_every_refusal_fits_a_message(key: str, code: str) -> None:
    """Anything can be typed: parts of turns, turns of other positions, nonsense. Each refusal has its words."""
    game, say, rng = GAMES[key], language(code), random.Random(9)
    typed = ["", "x", "?" * 300, "1/2/3", "a1a2a3", "pass", "no play", "resign", "e3-e5", "a1-a2", "d4-d5 d5-d6"]
    refused = set()
    for state in walk(game, rng, turns=25):
        for text in typed[-60:]:
            refusal = refused_for(game, state, text)
            if refusal is not None:
                assert 0 < len(say.error(refusal)) <= 2000
                refused.add(refusal.key)
        *_, complete = drafts(follow(game, state, Draft()), rng)
        turn = complete.text
        typed += [turn, turn[: rng.randint(1, len(turn))], turn[::-1], turn.split()[0]]
    assert len(refused) > 1


def refused_for(game: Game[Any, Any], state: Any, text: str) -> RuleError | None:
    try:
        game.parse(state, text)
    except RuleError as error:
        return error
    return None
