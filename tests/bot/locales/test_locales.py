"""Every message exists in every language, with the same parameters, and none is left over."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from harness.catalogue import (
    calls,
    can_be_said,
    files,
    given,
    is_said_in,
    keys_of,
    messages,
    placeholders,
    said_keys,
    said_with_parameters,
    ungiven,
    unknown_texts,
)

import bot
from bot.app import FEATURES
from bot.challenges.proposal import own_options
from bot.core.translations import CODES, MissingMessage, language
from bot.learn.help import command_list
from engine.core.errors import Translated
from engine.registry import GAMES

PROJECT = Path(bot.__file__).parents[1]
NO_KEYS = {
    *("board.png", "dice.png", "game.webp", "match.png", "profile.png", "top.png", "games.sqlite3", "zone.tab"),
    "games.id",
}
"""Files and a column that are called like the area of a key."""
GIVEN_ELSEWHERE = {
    "cube_action.": "engine.kits.cube",  # the notes of its actions
    "story.conditional.cube.": "engine.kits.cube",
    "takeback.sure": "bot.board.story",  # takeback_text
    "apb.told.": "engine.games.apb",
    "tournament.reason.": "engine.tournament.director",
    "tournament.reason.knockout": "engine.tournament.formats.elimination",
    "ladder.": "bot.tournaments.rounds.steps.ladder",
}
"""The module that gives parameters of keys which another one says, by how the keys begin."""
PAGES = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")])


pytestmark = pytest.mark.xdist_group("locales")  # one process reads the sources


@pytest.mark.parametrize("code", CODES)
def test_every_key_has_its_message(code: str) -> None:
    known = messages(code)
    missing = {key: where for key, where in said_keys().items() if key not in known}
    assert not missing


def test_what_looks_like_a_key_is_one() -> None:
    """Also in tables and values, from where it is said later."""
    assert set(unknown_texts()) == NO_KEYS


def misfit(call: ast.Call) -> set[str]:
    """Returns the parameters that a message needs and its call does not give; none if the call does not
    write them out.
    """
    names = given(call)
    said = [messages(CODES[0])[key] for key in keys_of(call) if key in messages(CODES[0])]
    if names is None:
        return set()
    needed = [placeholders(message) | ({"n"} if message.pluralizable else set()) for message in said]
    return set[str]().union(*needed) - names


def test_calls_give_the_parameters_that_their_messages_need() -> None:
    listed = list(calls())
    assert len(listed) > 300
    assert [(name, ast.unparse(call)) for name, call in listed if misfit(call)] == []
    wrong, right = (
        ast.parse(f"say('board.won_points', {given})", mode="eval").body
        for given in ("player=2, how=3", "player=2, how=3, n=4")
    )
    assert isinstance(wrong, ast.Call)
    assert isinstance(right, ast.Call)
    assert (misfit(wrong), misfit(right)) == ({"n"}, set())


def test_messages_said_through_variables_need_what_their_modules_name() -> None:
    """No single call shows what is given for these keys."""
    keys = messages(CODES[0]).keys() - said_with_parameters()
    assert {key: found for key in keys if (found := ungiven(key, _elsewhere(key)))} == {}
    assert ungiven("ladder.too_far") == {"reach"}


def _elsewhere(key: str) -> list[str]:
    return [module for start, module in GIVEN_ELSEWHERE.items() if key.startswith(start)]


def test_no_message_is_left_that_nothing_says() -> None:
    assert [key for key in messages(CODES[0]) if not can_be_said(key)] == []
    stale = ("board.neon", "button.neon", "preference.user.theme.neon", "abak.topic.neon", "clock.part.neon", "neon")
    assert not any(map(can_be_said, stale))


def is_of_a_game(stem: str) -> bool:
    return stem.removesuffix("_rules") in GAMES


def test_a_message_lies_in_the_file_of_a_room_that_says_it() -> None:
    wrong = [
        (stem, key)
        for stem, keys in files(CODES[0]).items()
        for key in keys
        if not is_of_a_game(stem) and not is_said_in(stem, key)
    ]
    assert wrong == []
    assert not is_said_in("learn", "board.turn")
    assert not is_said_in("board", "vacation.title")


@pytest.mark.parametrize("code", CODES)
def test_only_the_files_of_a_game_name_it_first(code: str) -> None:
    """A new game brings files of its own, and changes none that name another game."""
    stems = {key: stem for stem, keys in files(code).items() for key in keys if key.partition(".")[0] in GAMES}
    assert {key: stem for key, stem in stems.items() if stem.removesuffix("_rules") != key.partition(".")[0]} == {}


@pytest.mark.parametrize("code", CODES)
def test_files_have_the_same_keys_in_every_language(code: str) -> None:
    assert {stem: sorted(keys) for stem, keys in files(code).items()} == {
        stem: sorted(keys) for stem, keys in files(CODES[0]).items()
    }


def test_languages_say_the_same_things_with_the_same_parameters() -> None:
    first, *others = (messages(code) for code in CODES)
    for other in others:
        assert set(other) == set(first)
        differ = {key for key in first if placeholders(first[key]) != placeholders(other[key])}
        assert not differ


@pytest.mark.parametrize("code", CODES)
def test_messages_are_complete(code: str) -> None:
    for key, message in messages(code).items():
        assert not message.fuzzy, key
        texts = message.string if message.pluralizable else (message.string,)
        assert all(texts), key
        assert not message.pluralizable or len(texts) == 2, key


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("code", CODES)
def test_every_game_has_the_texts_that_any_game_needs(code: str, game: str) -> None:
    say = language(code)
    rules = say(f"{game}.rules")
    assert len(rules) <= 2000
    for option in GAMES[game].options:
        if option.key == "layout":
            assert all(say(f"{game}.layout.{choice}") for choice in option.choices)
    assert all(say(f"{kind}.{seat}") for kind in ("seat", "side") for seat in GAMES[game].seats)
    for option in own_options(game):
        said = [f".{choice}" for choice in option.choices] or [".chosen"]
        assert all(say(f"option.{option.key}{end}", n=option.high) for end in ("", ".about", *said))


@cache
def commands(code: str) -> set[str]:
    """Returns the path of every command in a language, such as ``move play``; of a group alone, too."""
    say = language(code)
    keys = [key for key in messages(code) if re.fullmatch(r"command(\.[a-z]+)+", key) and not key.endswith(".about")]
    parts = [key.split(".")[1:] for key in keys]
    return {" ".join(say(f"command.{'.'.join(path[: end + 1])}") for end in range(len(path))) for path in parts}


@cache
def options(code: str) -> set[str]:
    """Returns the names of all command options in a language."""
    return {str(message.string) for key, message in messages(code).items() if re.fullmatch(r"option\.[a-z_]+", key)}


def unknown_commands(text: str, code: str) -> list[str]:
    """Returns the commands, with their options (``/abak challenge time:``), that a text names but its
    language has not.
    """
    found = []
    for named in re.findall(r"/abak (?=[^\W\d_])([^`]*)`", text):
        path = " ".join(word for word in named.split() if ":" not in word)
        given = {word.partition(":")[0] for word in named.split() if ":" in word}
        if path not in commands(code) or not given <= options(code):
            found.append(named)
    return found


@pytest.mark.parametrize("code", CODES)
def test_commands_that_a_text_names_exist_in_its_language(code: str) -> None:
    texts = {key: message.string for key, message in messages(code).items()}
    joined = {key: text if isinstance(text, str) else " ".join(text) for key, text in texts.items()}
    wrong = {key: found for key, text in joined.items() if (found := unknown_commands(text, code))}
    assert not wrong
    assert unknown_commands("`/abak nonsense`, `/abak challenge speed:`, `/abak retar time:`", code)


@pytest.mark.parametrize("code", CODES)
def test_the_help_names_every_command(code: str) -> None:
    """But the bare groups."""
    say = language(code)
    context: Any = None
    told = "\n".join(command_list([one for feature in FEATURES for one in feature.commands(context)], say))
    assert len(told) <= 1990
    aside = {say(f"command.{key}") for key in ("abak", "move", "tournament")}
    assert f"`/{say('command.tournament')} {say('command.tournament_help')}`" in told
    assert [path for path in commands(code) - aside if f"`/abak {path}`" not in told] == []
    assert say("panel.user.play") in told


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_a_page_names_exist_in_its_language(page: Path) -> None:
    code = page.stem.rpartition(".")[2] if page.stem.rpartition(".")[2] in CODES else CODES[0]
    assert not unknown_commands(page.read_text(encoding="utf-8"), code)


def test_a_missing_message_or_parameter_is_our_fault_and_says_so() -> None:
    say = language("es")
    with pytest.raises(MissingMessage, match=r"no\.such"):
        say("no.such")
    with pytest.raises(MissingMessage, match="move"):
        say("picker.so_far")


def test_plurals_and_keys_as_parameters() -> None:
    say = language("es")
    assert "1 punto:" in say("board.won_points", player="Ana", how=Translated("@end.resigned"), n=1)
    assert "2 puntos: rendición" in say("board.won_points", player="Ana", how=Translated("@end.resigned"), n=2)
