"""Laws that hold for every game, over random games."""

import functools
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from harness.examples import examples
from hypothesis import given
from hypothesis import strategies as st

from engine.core.adjudication import RULINGS
from engine.core.errors import IllegalMove, RuleError
from engine.core.game import CHANCE, Game, Note, walk_turns
from engine.core.record import Entry, Header, Kind, Record, dump, load
from engine.core.search import menu, walk
from engine.core.table import Table
from engine.registry import GAMES, VERSIONS, find

every_game = pytest.mark.parametrize("game", VERSIONS, ids=[f"{game.key}-{game.version}" for game in VERSIONS])
seeds = st.integers(0, 2**32)
STEPS = 400
MENU = 25
WORD = 100


def every_layout(game: Game[Any, Any]) -> list[dict[str, Any]]:
    """Returns every layout, and the usual one with each other choice of any other option."""
    layouts = [{}, *({option.key: choice} for option in game.options for choice in option.choices)]
    return [game.settle_options(given) for given in layouts]


def options_of(game: Game[Any, Any], seed: int) -> dict[str, Any]:
    return random.Random(seed).choice(every_layout(game))


def random_walk(game: Game[Any, Any], seed: int, limit: int = STEPS) -> Iterator[tuple[Any, Any]]:
    luck = random.Random(seed)
    start = game.start(options_of(game, seed))

    def choose(steps: Any, weights: Any) -> Any:
        return luck.choices(steps, weights)[0]

    return walk(game, start, choose, limit)


def sample(game: Game[Any, Any], seed: int, every: int = 7) -> Iterator[tuple[Any, Any]]:
    """Returns some states of a random game with the step taken there, spread over it."""
    skip = seed % every
    return (pair for number, pair in enumerate(random_walk(game, seed)) if number % every == skip)


def at_turn_start(game: Game[Any, Any], seed: int) -> Iterator[Any]:
    """Yields some states of a random game at which a seat begins its turn."""
    before = None
    for number, (state, _) in enumerate(random_walk(game, seed)):
        actor = game.to_act(state)
        if actor not in {CHANCE, before} and number % 5 == seed % 5:
            yield state
        before = actor


@pytest.mark.parametrize("key", GAMES)
def test_a_game_is_found_by_its_key_of_small_letters(key: str) -> None:
    assert find(key).key == key
    assert re.fullmatch("[a-z]+", key)


@every_game
@examples(4)
@given(seed=seeds)
def test_over_means_an_outcome_and_nothing_legal(game: Game[Any, Any], seed: int) -> None:
    state = None
    for before, step in random_walk(game, seed, 4000):
        assert game.outcome(before) is None
        assert game.legal(before)
        state = game.apply(before, step)
    if game.to_act(state) is None:
        assert not game.legal(state)
        outcome = game.outcome(state)
        assert outcome is not None
        assert sum(outcome.points) == 0


@pytest.mark.parametrize(
    "game",
    [game for game in VERSIONS if game.to_act(game.start(game.settle_options({}))) == CHANCE],
    ids=lambda game: f"{game.key}-{game.version}",
)
@examples(5)
@given(seed=seeds)
def test_games_with_dice_end_in_reasonable_time(game: Game[Any, Any], seed: int) -> None:
    last = None
    for state, step in random_walk(game, seed, 20_000):
        last = game.apply(state, step)
    assert game.to_act(last) is None


@every_game
@examples(5)
@given(seed=seeds)
def test_legal_is_stable_without_doubles_and_changes_nothing(game: Game[Any, Any], seed: int) -> None:
    for state, step in sample(game, seed):
        before = hash(state)
        legal = list(game.legal(state))
        game.apply(state, step)
        assert legal == list(game.legal(state))
        assert len(legal) == len(set(legal))
        assert hash(state) == before
        assert all(isinstance(game.weight(state, each), int) and game.weight(state, each) > 0 for each in legal)


@every_game
@examples(5)
@given(seed=seeds)
def test_a_step_from_elsewhere_is_refused_by_name(game: Game[Any, Any], seed: int) -> None:
    other = [step for _, step in sample(game, seed + 1)]
    for state, _ in sample(game, seed, 20):
        if game.to_act(state) == CHANCE:
            continue
        legal = set(game.legal(state))
        for step in other:
            if step not in legal:
                with pytest.raises(IllegalMove) as refusal:
                    game.apply(state, step)
                assert "." in refusal.value.key


@every_game
@examples(5)
@given(seed=seeds)
def test_position_texts_round_trip(game: Game[Any, Any], seed: int) -> None:
    for state in at_turn_start(game, seed):
        text = game.encode(state)
        assert game.decode(text, options_of(game, seed)) == state
        assert game.encode(game.decode(text)) == text


@every_game
@examples(5)
@given(seed=seeds)
def test_notation_of_steps_round_trips(game: Game[Any, Any], seed: int) -> None:
    for state, _ in sample(game, seed):
        for step in list(game.legal(state))[:30]:
            text = game.format(state, (step,))
            after = state
            for read in game.parse(state, text):
                after = game.apply(after, read)
            assert after == game.apply(state, step)
            assert game.format(state, game.parse(state, text)) == text


@every_game
@examples(3)
@given(seed=seeds)
def test_notation_of_turns_round_trips(game: Game[Any, Any], seed: int) -> None:
    luck = random.Random(seed)
    for state in at_turn_start(game, seed):
        actor, after, steps = game.to_act(state), state, []
        while game.to_act(after) == actor:
            steps.append(luck.choice(game.legal(after)))
            after = game.apply(after, steps[-1])
        text = game.format(state, steps)
        read = state
        for step in game.parse(state, text):
            read = game.apply(read, step)
        assert read == after
        assert game.format(state, game.parse(state, text)) == text


@pytest.mark.parametrize(
    "game", [game for game in VERSIONS if game.enumerates_turns], ids=lambda game: f"{game.key}-{game.version}"
)
@examples(5)
@given(seed=seeds)
def test_listed_turns_are_those_that_can_be_walked(game: Game[Any, Any], seed: int) -> None:
    for number, state in enumerate(at_turn_start(game, seed)):
        if number >= 6:
            break
        listed = game.turns(state)
        assert {after for _, after in listed} == {after for _, after in walk_turns(game, state)}
        assert len({after for _, after in listed}) == len(listed)
        texts = [game.format(state, steps) for steps, _ in listed]
        assert len(set(texts)) == len(texts)
        for steps, after in listed[:40]:
            walked = state
            for step in steps:
                walked = game.apply(walked, step)
            assert walked == after


@every_game
@examples(5)
@given(seed=seeds)
def test_paths_make_menus_that_discord_can_show(game: Game[Any, Any], seed: int) -> None:
    for state, _ in sample(game, seed):
        if game.to_act(state) == CHANCE:
            continue
        paths = [game.path(state, step) for step in game.legal(state)]
        assert len(set(paths)) == len(paths)
        assert all(0 < len(word) <= WORD for path in paths for word in path)
        prefixes = {path[:length] for path in paths for length in range(len(path))}
        assert not prefixes & set(paths)
        for prefix in prefixes:
            choices = menu(game, state, prefix)
            assert 0 < len(choices) <= MENU
            assert sum(len(choice.steps) for choice in choices) == sum(path[: len(prefix)] == prefix for path in paths)


@every_game
@examples(5)
@given(seed=seeds)
def test_steps_can_be_shown(game: Game[Any, Any], seed: int) -> None:
    for state, _ in sample(game, seed):
        for step in list(game.legal(state))[:20]:
            assert all(isinstance(note, Note) for note in game.notes(state, step))
            if game.to_act(state) != CHANCE:
                assert all(mark.cell and mark.kind for mark in game.marks(state, step))
                assert game.changes_board(state, step) == bool(game.marks(state, step))
                assert game.marks(state, step) or game.format(state, (step,)) in game.path(state, step)


@every_game
@examples(5)
@given(seed=seeds)
def test_a_recorded_turn_is_what_is_read_and_played(game: Game[Any, Any], seed: int) -> None:
    luck = random.Random(seed)
    state = game.start(options_of(game, seed))
    for _ in range(60):
        actor, before, steps = game.to_act(state), state, []
        if actor is None:
            break
        while game.to_act(state) == actor:
            steps.append(luck.choice(game.legal(state)))
            state = game.apply(state, steps[-1])
            if actor == CHANCE:
                break
        text = game.format(before, steps)
        assert game.replay_turn(before, text) == Game.replay_turn(game, before, text)
        assert game.replay_turn(before, f" {text.upper()}") == Game.replay_turn(game, before, text)


def found(read: Any, state: Any, text: str) -> Any:
    """Returns the meaning of a text in this state, or its refusal."""
    try:
        return read(state, text)
    except RuleError as error:
        return type(error), error.key, error.params


@every_game
@examples(5)
@given(seed=seeds, typed=st.text("0123456789/*^+x#>- ()abcdefghisgkdeobarofp:", max_size=12))
def test_any_text_means_in_a_record_what_it_means_elsewhere(game: Game[Any, Any], seed: int, typed: str) -> None:
    read = functools.partial(Game.replay_turn, game)
    luck = random.Random(seed)
    texts = [typed, game.pass_text]
    for state in at_turn_start(game, seed):
        texts += [game.format(state, (luck.choice(game.legal(state)),))]
        if game.enumerates_turns:
            texts += [game.format(state, luck.choice(game.turns(state))[0])]
        for text in texts[-12:]:
            assert found(game.replay_turn, state, text) == found(read, state, text)


@every_game
def test_a_game_that_looks_back_keeps_its_history(game: Game[Any, Any]) -> None:
    looks_back = type(game).outcome_by_history is not Game.outcome_by_history or bool(game.repetition)
    assert game.keeps_history == looks_back


@every_game
@examples(5)
@given(seed=seeds)
def test_records_replay(game: Game[Any, Any], seed: int) -> None:
    luck = random.Random(seed)
    options = luck.choice(every_layout(game))
    table = Table.open(game, Header(game.key, game.version, "law", 1000, tuple(options.items())))

    def roll(at: Table[Any, Any]) -> str:
        outcomes = game.legal(at.state)
        weights = [game.weight(at.state, outcome) for outcome in outcomes]
        return game.format(at.state, (luck.choices(outcomes, weights)[0],))

    for turn in range(30):
        table = table.settle(turn, roll)
        if table.to_act is None:
            break
        steps, state = [], table.state
        while game.to_act(state) == table.to_act:
            steps.append(luck.choice(game.legal(state)))
            state = game.apply(state, steps[-1])
        table = table.play(table.to_act, game.format(table.state, steps), turn)
    assert load(dump(table.record)) == table.record
    assert Table.replay(game, load(dump(table.record))) == table


@every_game
@examples(15)
@given(text=st.text(max_size=40) | st.from_regex(r"[a-i0-9/*:+^xKGDEOSbar off-]{0,30}", fullmatch=True))
def test_nonsense_is_refused_not_misread(game: Game[Any, Any], text: str) -> None:
    state = game.start(game.settle_options({}))
    while game.to_act(state) == CHANCE:
        state = game.apply(state, game.legal(state)[1])
    try:
        steps = game.parse(state, text)
    except RuleError as error:
        assert "." in error.key  # noqa: PT017  # an error is one of the two right answers
    else:
        assert steps
    with pytest.raises(RuleError):
        game.decode(f"{text}?")


@every_game
def test_an_option_that_does_not_exist_is_refused(game: Game[Any, Any]) -> None:
    with pytest.raises(RuleError, match=r"option\.unknown"):
        game.settle_options({"colour": "red"})


def test_a_game_that_does_not_exist_is_refused() -> None:
    with pytest.raises(RuleError, match=r"game\.unknown"):
        find("chess")


@every_game
def test_offers_and_resignations_end_a_game(game: Game[Any, Any]) -> None:
    table = Table.open(game, Header(game.key, game.version, "law", 0))
    drawn = table.make_offer(0, "draw", 1).answer(1, 2, accept=True)
    assert drawn.outcome is not None
    assert drawn.outcome.winner is None
    most = game.resign_values(table.state, 1)[-1]
    assert table.resign(1, most, 1).outcome is not None
    assert table.resign(1, most, 1).outcome.winner == 0
    declined = table.make_offer(0, "draw", 1).answer(1, 2, accept=False)
    assert declined.offer is None
    assert declined.outcome is None
    entry = Entry(5, Kind.RESIGN, 1, str(most))
    assert Table.replay(game, Record(table.record.header, (entry,))).outcome == table.resign(1, most, 5).outcome


@every_game
@examples(5)
@given(seed=seeds, cut=st.integers(0, 30), body=st.sampled_from(sorted(RULINGS)))
def test_any_game_can_be_adjudicated_at_any_moment(game: Game[Any, Any], seed: int, cut: int, body: str) -> None:
    """Also while dice are due. It costs the loser no more than the least that it can resign for."""
    luck = random.Random(seed)
    options = luck.choice(every_layout(game))
    table = Table.open(game, Header(game.key, game.version, "law", 1000, tuple(options.items())))
    for at in range(cut):
        actor, steps, state = table.to_act, [], table.state
        if actor is None:
            return
        while game.to_act(state) == actor:
            steps.append(luck.choice(game.legal(state)))
            state = game.apply(state, steps[-1])
            if actor == CHANCE:
                break
        kind = Kind.CHANCE if actor == CHANCE else Kind.PLAY
        table = table.append(Entry(at, kind, actor, game.format(table.state, steps)))
    if table.to_act is None:
        return
    over = table.append(Entry(cut, Kind.ADJUDICATE, CHANCE, body))
    assert over.outcome is not None
    winner, reason = RULINGS[body]
    assert (over.outcome.winner, over.outcome.reason, over.to_act) == (winner, reason, None)
    assert sum(over.outcome.points) == 0
    if winner is not None:
        assert over.outcome.points[winner] == game.resign_values(table.state, 1 - winner)[0] > 0
    assert over.state == table.state
    assert Table.replay(game, load(dump(over.record))) == over
