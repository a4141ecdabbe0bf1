"""Rules by topic and guided tours: every case is what it says, every refusal has its topic, every lesson its answer."""

import ast
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes.toy import Nim
from harness.catalogue import keys_in

import engine
from bot.core.translations import CODES, language, read_catalogues
from bot.games.notation import to_notation
from engine.core.errors import RuleError
from engine.core.game import Game
from engine.core.learning import case, solves, topic_for
from engine.core.lesson import Lesson, Topic
from engine.registry import GAMES

SPOKEN = {"": 900, ".title": 60}
TAUGHT = {"": 400, ".hint": 400, ".done": 400}
"""The texts of a topic and of a lesson, with the most characters of each."""

TOPICS = [pytest.param(game, topic, id=f"{game.key}-{topic.key}") for game in GAMES.values() for topic in game.topics]
LESSONS = [
    pytest.param(game, lesson, id=f"{game.key}-{lesson.key}") for game in GAMES.values() for lesson in game.lessons
]


def refusal(game: Game[Any, Any], position: str, text: str) -> str:
    """Returns the key of the error that a text raises."""
    with pytest.raises(RuleError) as caught:
        game.parse(game.decode(position), text)
    return caught.value.key


def told(game: Game[Any, Any], position: str, steps: tuple[Any, ...]) -> set[str]:
    """Returns the keys of all notes of the steps."""
    state, keys = game.decode(position), set()
    for step in steps:
        keys.update(note.key for note in game.notes(state, step))
        state = game.apply(state, step)
    return keys


def is_whole(game: Game[Any, Any], position: str, steps: tuple[Any, ...]) -> bool:
    state = game.decode(position)
    seat = game.to_act(state)
    for step in steps:
        assert game.to_act(state) == seat
        state = game.apply(state, step)
    return game.to_act(state) != seat


def named(folder: Path, besides: set[str]) -> set[str]:
    """Returns every text in the code of a folder, but for the modules ``besides``."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in folder.glob("*.py") if path.stem not in besides]
    return {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def package(game: Game[Any, Any]) -> Path:
    return Path(str(engine.__file__)).parent / "games" / game.key


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_game_has_its_topics_and_lessons(game: Game[Any, Any]) -> None:
    topics, lessons = [topic.key for topic in game.topics], [lesson.key for lesson in game.lessons]
    assert 1 <= len(set(topics)) == len(topics) <= 24  # a menu of 25, with the summary
    assert 1 <= len(set(lessons)) == len(lessons) <= 18
    assert {lesson.topic for lesson in game.lessons} <= set(topics)


@pytest.mark.parametrize(("game", "shown"), TOPICS + LESSONS)
def test_a_position_is_written_as_it_is_and_not_over(game: Game[Any, Any], shown: Topic | Lesson) -> None:
    state = game.decode(shown.position)
    assert game.encode(state) == shown.position
    assert game.to_act(state) in {0, 1}
    assert len(game.legal(state)) > 0


@pytest.mark.parametrize(("game", "topic"), TOPICS)
def test_the_play_of_a_topic_is_legal_and_shown(game: Game[Any, Any], topic: Topic) -> None:
    state, marks = case(game, topic)
    assert game.encode(state) == topic.position
    steps = game.parse(state, topic.steps) if topic.steps else ()
    assert bool(marks) == (topic.steps not in {"", "pass"})
    begun = [mark for mark in marks if mark.kind == "from"] or marks  # where pieces are put on, each is one mark
    assert len(begun) >= len(steps) * bool(marks)


@pytest.mark.parametrize(("game", "topic"), [param for param in TOPICS if param.values[1].refused])
def test_the_forbidden_play_of_a_topic_is_refused_by_its_rule(game: Game[Any, Any], topic: Topic) -> None:
    assert refusal(game, topic.position, topic.refused) == topic.errors[0]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_refusal_of_a_play_is_explained_by_one_topic(game: Game[Any, Any]) -> None:
    explained = [error for topic in game.topics for error in topic.errors]
    assert len(explained) == len(set(explained))
    texts = {key for key in keys_in(f"engine.games.{game.key}") if key.startswith(f"{game.key}.")}
    notes = {key for key in texts if key.count(".") > 1}  # what a step does, why a game ended, names
    notes.add(f"{game.key}.score")
    of_positions = {
        node.args[0].value
        for path in package(game).glob("*.py")
        if path.stem in {"board", "gnubg"}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "BadNotation"
        if isinstance(node.args[0], ast.Constant)
    }
    assert of_positions
    assert {key for key in explained if key.startswith(f"{game.key}.")} == texts - notes - of_positions
    for topic in game.topics:
        assert all(topic_for(game, error) is topic for error in topic.errors)
    assert topic_for(game, f"{game.key}.no_such_error") is None


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_topic_or_lesson_names_a_key_that_is_never_said(game: Game[Any, Any]) -> None:
    said = named(package(game), {"keys", "lessons"}) | named(package(game).parents[1] / "kits", set())
    assert {error for topic in game.topics for error in topic.errors} <= said
    assert {key for lesson in game.lessons for key in lesson.does} <= said


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_a_lesson_has_an_answer_to_show(game: Game[Any, Any], lesson: Lesson) -> None:
    state = game.decode(lesson.position)
    for place, text in enumerate(lesson.turns):
        steps = game.parse(state, text)
        assert game.format(state, steps) == text, "not written canonically"
        assert solves(game, lesson, steps)
        if place == 0:
            assert is_whole(game, lesson.position, steps)
            assert told(game, lesson.position, steps) >= set(lesson.does)


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_a_lesson_can_be_missed_or_its_rule_leaves_no_choice(game: Game[Any, Any], lesson: Lesson) -> None:
    """Some whole turn fails; or none does, and then the rule refuses what may tempt."""
    state = game.decode(lesson.position)
    failed = [steps for steps in some_turns(game, state) if not solves(game, lesson, steps)]
    assert failed or lesson.refused
    if lesson.refused:
        topic = topic_for(game, refusal(game, lesson.position, lesson.refused))
        assert topic
        assert topic.key == lesson.topic or failed


def some_turns(game: Game[Any, Any], state: Any) -> list[tuple[Any, ...]]:
    """Returns all whole turns; where they are too many to list, some at random."""
    if game.enumerates_turns:
        return [steps for steps, _ in game.turns(state)]
    luck = random.Random(1)
    found = []
    for _ in range(50):
        at, steps = state, []
        while game.to_act(at) == game.to_act(state):
            steps.append(luck.choice(game.legal(at)))
            at = game.apply(at, steps[-1])
        found.append(tuple(steps))
    return found


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.enumerates_turns], ids=lambda game: game.key)
def test_a_lesson_is_solved_in_whatever_order_its_steps_are_listed(game: Game[Any, Any]) -> None:
    """The canonical turns and the lesson's own agree, so that a player's spelling cannot matter."""
    for lesson in game.lessons:
        state = game.decode(lesson.position)
        ends = {end(game, state, game.parse(state, text)) for text in lesson.turns}
        for steps, after in game.turns(state):
            if after in ends:
                assert solves(game, lesson, steps)


def end(game: Game[Any, Any], state: Any, steps: tuple[Any, ...]) -> Any:
    for step in steps:
        state = game.apply(state, step)
    return state


def test_a_turn_solves_by_its_notes_or_by_the_position_it_passes_through() -> None:
    game = GAMES["apb"]
    strike = next(lesson for lesson in game.lessons if lesson.key == "strike")
    state = game.decode(strike.position)
    only = Lesson("only", "strike", strike.position, ("c8-d8",))
    for text, by_notes, by_position in (
        ("c8-d8", True, True),
        ("c8-d8 d3-c3", True, True),
        ("d3-c3 c8-d8", True, False),
        ("d3-c3", False, False),
        ("e3-e4", False, False),
    ):
        steps = game.parse(state, text)
        assert solves(game, strike, steps) == by_notes
        assert solves(game, only, steps) == by_position
    assert not solves(game, strike, ())


@pytest.mark.parametrize(("game", "lesson"), [param for param in LESSONS if param.values[1].key_plays])
def test_a_lesson_asks_for_its_key_play_and_ends_with_it(game: Game[Any, Any], lesson: Lesson) -> None:
    """Another play with the same notes is not enough; its own is, however the turn goes on."""
    state = game.decode(lesson.position)
    for text in lesson.key_plays:
        steps = game.parse(state, text)
        assert solves(game, lesson, steps)
        assert not any(solves(game, lesson, steps[:length]) for length in range(len(steps)))
    turns = [steps for steps in some_turns(game, state) if told(game, lesson.position, steps) >= set(lesson.does)]
    assert any(not solves(game, lesson, steps) for steps in turns)


def test_a_push_of_an_own_piece_is_not_the_push_that_is_asked_for() -> None:
    game = GAMES["apb"]
    position = "9/3ss4/3sps3/9/2S1s4/9/4S4/4S4/9/3SPS3/9/9 w -"
    strike = next(lesson for lesson in game.lessons if lesson.key == "strike")
    lesson = replace(strike, position=position, turns=("c8-d8",))
    steps = game.parse(game.decode(position), "c8-d7")
    assert told(game, lesson.position, steps) == {"apb.does.pushes"}
    assert not solves(game, lesson, steps)


def test_the_general_may_go_back_while_a_comrade_is_a_prisoner() -> None:
    """All comrades are home but a prisoner in the midfield, which counts as outside home."""
    game = GAMES["abak"]
    held = next(lesson for lesson in game.lessons if lesson.key == "outside")
    state = game.decode(held.position)
    assert game.parse(state, "9/14")
    alone = game.decode(held.position.replace("Sd", "d"))
    with pytest.raises(RuleError, match="general_comrades_home"):
        game.parse(alone, "9/14")


def test_a_game_without_lessons_has_none() -> None:
    assert Nim().topics == Nim().lessons == ()
    assert topic_for(Nim(), "toy.over") is None


def test_lessons_are_not_loaded_before_they_are_asked_for() -> None:
    code = (
        "import sys, engine.registry as r; loaded = [name for name in sys.modules if name.endswith('.lessons')];"
        "r.GAMES['apb'].topics; print(loaded, 'engine.games.apb.lessons' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[] True"


# --- the texts -------------------------------------------------------------------------------------------------------


def texts_of(game: Game[Any, Any]) -> dict[str, int]:
    """Returns every key that a game's topics and lessons need, with the most characters of its text."""
    wanted = {f"{game.key}.topic.{topic.key}{suffix}": most for topic in game.topics for suffix, most in SPOKEN.items()}
    return wanted | {
        f"{game.key}.lesson.{lesson.key}{suffix}": most for lesson in game.lessons for suffix, most in TAUGHT.items()
    }


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("code", CODES)
def test_the_catalogue_holds_the_texts_and_no_other_and_none_is_too_long(code: str, game: Game[Any, Any]) -> None:
    said = {message.id: message.string for message in read_catalogues(code)[f"{game.key}_rules"] if message.id}
    wanted = texts_of(game)
    assert set(said) == set(wanted)
    assert {key: len(text) for key, text in said.items() if not 0 < len(text) <= wanted[key]} == {}
    assert all(language(code)(key) == text for key, text in said.items())


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_both_languages_quote_the_same_plays(game: Game[Any, Any]) -> None:
    """Each in its own words: `barra/21` and `bar/21` are one play."""
    for key in (*texts_of(game), f"{game.key}.rules"):
        quoted = (re.findall(r"`([^`]+)`", language(code)(key)) for code in CODES)
        first, *others = (sorted(to_notation(game.key, play) for play in plays) for plays in quoted)
        assert all(other == first for other in others), key


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("code", [code for code in CODES if code != "en"])
def test_plays_are_quoted_in_the_words_that_the_language_has(code: str, game: Game[Any, Any]) -> None:
    say = language(code)
    foreign = re.compile(r"(?<![^\W\d_])(bar|off|pass|roll|double|take)(?![^\W\d_])")
    said = {key: re.findall(r"`([^`]+)`", say(key)) for key in (*texts_of(game), f"{game.key}.rules")}
    assert {key: plays for key, plays in said.items() if any(map(foreign.search, plays))} == {}


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_a_hint_or_praise_quotes_plays_that_can_be_typed(game: Game[Any, Any], lesson: Lesson) -> None:
    state = game.decode(lesson.position)
    for suffix in TAUGHT:
        for play in re.findall(r"`([^`]+)`", language(CODES[0])(f"{game.key}.lesson.{lesson.key}{suffix}")):
            if play != lesson.refused:
                assert game.parse(state, play), f"{play} in {suffix or 'the task'}"
