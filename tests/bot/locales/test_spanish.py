"""Spanish that reads naturally in Spain and in Latin America, with one word for each thing."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.catalogue import messages, placeholders

import bot
from bot.archive import commands as archive
from bot.core.translations import language
from bot.learn import commands as learn
from bot.my_games import commands as my_games

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from babel.messages.catalog import Message

ES: Final = language("es")
ROOT: Final = Path(bot.__file__).parents[1]
PAGES: Final = [ROOT / "README.es.md", *sorted((ROOT / "docs").rglob("*.es.md"))]
REGIONAL: Final = re.compile(
    r"\b(?:vosotr[oa]s|vuestr[oa]s?|os|usted(?:es)?|(?!(?:dieci|veinti)?s)\w+[áé]is|\w+(?:abais|íais|steis)"
    r"|(?:jug|mir|esper|prob|escrib|eleg|pon|volv|pul)[aei]d|ordenador(?:es)?|computador[ae]s?|celular(?:es)?)\b",
    re.IGNORECASE,
)
"""Words for several people, or for one with distance, and things that have another name overseas: people are *tú*."""
FOREIGN: Final[Mapping[str, str]] = {
    "abak": r"pieza|canica|bola|ficha(?! de backgammon)|casilla",
    "backgammon": r"pieza|piedra|canica|casilla",
    "abalone": r"pieza|piedra|ficha|bola",
    "apb": r"ficha|piedra|canica|bola",
}
"""Words of another game: Abak has stones on points, backgammon checkers, Abalone marbles and APB pieces on cells."""
LENGTHS: Final = {"left", "asked", "per_turn", "bank", "increment", "time"}
"""Parameters that are a time in words: *1 día*, or *2 horas y 5 minutos*."""


def texts(message: Message) -> str:
    return message.string if isinstance(message.string, str) else "\n".join(message.string)


def plain(text: str) -> str:
    """Removes the accents."""
    return "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))


SAID: Final = {key: texts(message) for key, message in messages("es").items()}


def test_a_casual_challenge_agrees_with_whatever_is_played() -> None:
    """The sentence follows *Una sola partida.* and *Encuentro a 3 puntos.* alike."""
    assert not re.match(r"Amistos[oa]\b", SAID["challenge.casual"])


def test_everybody_is_addressed_in_one_way() -> None:
    said = SAID | {page.name: page.read_text(encoding="utf-8") for page in PAGES}
    assert PAGES
    assert {key: found[0] for key, text in said.items() if (found := REGIONAL.search(text))} == {}
    for wrong in (
        "o jugad en otro canal",
        "Os lo decimos",
        "si estáis de acuerdo",
        "¿Quiere usted?",
        "vuestra partida",
        "cuando teníais",
    ):
        assert REGIONAL.search(wrong)
    assert not REGIONAL.search("seis ciudades, dieciséis, después, pared")


@pytest.mark.parametrize("game", FOREIGN)
def test_a_game_has_one_word_for_what_is_moved(game: str) -> None:
    own = {key: text for key, text in SAID.items() if key.startswith(f"{game}.")}
    assert own
    assert {key: text for key, text in own.items() if re.search(rf"\b(?:{FOREIGN[game]})", text, re.IGNORECASE)} == {}


def test_whoever_plays_against_you_has_one_name() -> None:
    assert [key for key, text in SAID.items() if re.search("oponente|contrincante", text, re.IGNORECASE)] == []


def test_to_give_up_a_game_has_one_verb() -> None:
    """To abandon a game is to stop playing, which ends it in another way."""
    assert [key for key, text in SAID.items() if re.search("abandon", text, re.IGNORECASE)] == []


def test_a_side_has_its_article() -> None:
    """As in *las blancas juegan*; but a name on its own, as in the board's frame."""
    alone = re.compile(r"(?<!as )\{seat\} (?!\{player\})")
    assert {key for key, text in SAID.items() if alone.search(text)} == set()
    assert alone.search("{seat} juegan")
    assert not alone.search("Las {seat} juegan")


def test_a_time_in_words_is_no_subject_that_a_verb_would_agree_with() -> None:
    timed = {key: SAID[key] for key, message in messages("es").items() if placeholders(message) & LENGTHS}
    assert "games.left" in timed
    assert {key: text for key, text in timed.items() if re.search(r"\b(quedan?|faltan?) \{", text)} == {}


def test_commands_are_described_in_one_form_of_the_verb() -> None:
    """*Decide una partida*, not *Decidir una partida*."""
    about = {key: text for key, text in SAID.items() if re.fullmatch(r"command\..*\.about", key)}
    assert len(about) > 40
    assert {key: text for key, text in about.items() if re.match(r"\w+[aei]r(?:te|se)?\b", text)} == {}


def test_a_moment_that_ends_something_has_its_article() -> None:
    """*Acaba el 24 de noviembre*: Discord writes the moment without one."""
    without = {key for key, text in SAID.items() if re.search(r"\b(?:acaba|antes de) \{at\}", text, re.IGNORECASE)}
    assert without == {"tournament.rounds.arena_ends"}  # it says *dentro de una hora*
    assert "acaba el {at}" in SAID["tournament.rounds.deadline"]


def test_players_of_a_tournament_are_in_groups() -> None:
    assert [key for key, text in SAID.items() if re.search(r"\bsecci[oó]n", text, re.IGNORECASE)] == []


def test_tournaments_have_one_word_for_a_bye_for_leaving_and_for_who_is_to_move() -> None:
    """*Descansar*, *dejar el torneo* and *quien tiene el turno*; a draw is *tablas*, and sides are *bandos*."""
    others = re.compile(
        r"no tienes? rival en|sin rival|retirad|ha salido|quien (?:debe )?muev|quien tenga|\blados\b|un empate"
    )
    said = {key: text for key, text in SAID.items() if key.startswith("tournament.")}
    assert {key: found[0] for key, text in said.items() if (found := others.search(text))} == {}


def test_names_of_commands_are_spelled_like_the_words() -> None:
    names = {key: text for key, text in SAID.items() if re.fullmatch(r"(command|option)(\.[a-z_]+)+", key)}
    short = {key: text for key, text in names.items() if not key.endswith(".about") and " " not in text}
    written = {key: text for key, text in SAID.items() if not key.startswith(("command.", "option.", "write."))}
    words = {word for text in written.values() for word in re.findall(r"[^\W\d_]+", text.casefold())}
    accented = {plain(word): word for word in words if plain(word) != word and plain(word) not in words}
    assert len(short) > 30
    assert {name: accented[name] for name in short.values() if name in accented} == {}


@pytest.mark.parametrize(
    ("commands", "command", "name"),
    [
        (archive.commands, "replay", "partida"),
        (my_games.commands, "here", "partida"),
        (learn.commands, "learn", "juego"),
    ],
)
def test_a_game_that_is_played_and_a_game_to_play_are_two_words(
    commands: Callable[[Any], list[Any]], command: str, name: str
) -> None:
    """English has one for both; the message that asks for the option names it, too."""
    found = next(
        one for given in commands(None) for one in (given, *getattr(given, "commands", ())) if one.name == command
    )
    option = found.get_parameter("game")
    assert option
    assert option.locale_name
    assert ES(option.locale_name.extras["key"]) == name
    assert "«partida»" in ES("here.which")
