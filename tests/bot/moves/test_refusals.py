"""Every refusal of the engine, caused through the bot: told to the player alone, in a sentence of their language.

A new key of the engine belongs into one of the games: what a player does to be told so (`harness.refusals.TYPED` for
moves, `harness.acts.ACTS` for all else), or, with the reason, `UNREACHABLE`.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from fakes.clock import Clock
from harness.acts import ACTS
from harness.bot import SPANISH, Room, private
from harness.catalogue import keys_in
from harness.discord import is_ephemeral, text
from harness.positions import placed
from harness.refusals import TYPED, Case

from bot.core.translations import language
from bot.moves.refusal import refused as in_words
from engine.core.errors import RuleError
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping


ENGINE: Final = Path(__file__).parents[3] / "engine"
RAISED: Final = {"RuleError", "BadNotation", "IllegalMove", "AmbiguousMove", "Refused"}
LOCALES: Final = ("en-US", SPANISH)


@pytest.fixture
def now(clock: Clock) -> Clock:
    return clock


# --- moves that are typed --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("game", GAMES)
async def test_a_move_that_a_rule_forbids_is_refused_by_that_rule(room: Room, game: str, locale: str) -> None:
    wrong = {}
    for case in TYPED.get(game, ()):
        problem = await refused(room, game, case, locale)
        if problem:
            wrong[case.key] = problem
    assert not wrong


async def refused(start: Room, game: str, case: Case, locale: str) -> str:
    """Types it in a channel of its own; what is not as it should be."""
    room = Room.of(start.server, start.bot, locale=locale)
    live = await placed(room, game, case.position, **case.options)
    expected = error_of(lambda: live.table.game.parse(live.table.state, case.typed))
    if expected is None or expected.key != case.key:
        return f"the engine says {expected}"
    sent = await room.type(live, case.typed)
    if sent.message is None or not is_ephemeral(sent.message):
        return "the answer is not private"
    sentence = in_words(expected, room.say)
    if not text(sent.message).startswith(sentence):
        return f"{text(sent.message)!r} instead of {sentence!r}"
    if sent.message in room.other(live).messages or len(room.boards) != 1 or (await room.present()).seq != live.seq:
        return "it did not stay between the bot and the player"
    return ""


def error_of(attempt: Callable[[], object]) -> RuleError | None:
    try:
        attempt()
    except RuleError as error:
        return error
    return None


# --- everything else that players do ---------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", LOCALES)
async def test_an_act_that_is_not_allowed_is_refused_in_a_sentence(room: Room, locale: str) -> None:
    wrong = {}
    for key, (act, params) in ACTS.items():
        corner = Room.of(room.server, room.bot, locale=locale)
        seat = await act(corner)
        other = corner.ben if seat is corner.ana else corner.ana
        message = private(seat)
        sentence = corner.say(key, **params)
        if not text(message).startswith(sentence) or message in other.messages:
            wrong[key] = f"{text(message)!r} instead of {sentence!r}"
    assert not wrong


# --- all keys of the engine ------------------------------------------------------------------------------------------

POSITION: Final = "no player writes a position text: only the command line reads them"
LUCK: Final = "dice are thrown by the bot, never named by a player; what is typed instead of them is no move"
CHOICES: Final = "the command offers a fixed list, and Discord takes nothing else"
FALLING: Final = "where a side may not double, the dice fall by themselves: nobody is asked, nothing can be typed"
READ: Final = "a text cannot mean it; only a step that was made in another way"
RECORD: Final = "the bot writes these entries of a record, never a player"
HOURS: Final = "the settings take nothing that the engine would refuse, and say themselves what is wrong"
CLOCKLESS: Final = "only a game with a clock has the buttons for it, and no game loses its clock"
FILES: Final = "only a file or a position that is imported or exported; tests/engine/exchange causes it"
UNREACHABLE: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        (
            *(f"exchange.{part}" for part in ("format", "unknown", "record", "game", "positions")),
            *(f"exchange.{part}" for part in ("several_games", "no_positions", "lossy_position", "too_many")),
            *(f"exchange.mat.{part}" for part in ("column", "crawford", "cube", "draw", "forfeit", "layout")),
            *(f"exchange.mat.{part}" for part in ("no_crawford", "no_match", "opening", "options", "over", "position")),
            *(f"exchange.mat.{part}" for part in ("raccoon", "score", "series", "set_position", "unfinished")),
            *(f"exchange.mat.{part}" for part in ("unreadable", "variation")),
            *(f"exchange.tagged.{part}" for part in ("number", "points", "result", "unreadable")),
        ),
        FILES,
    ),
    **dict.fromkeys(("xgid.fields", "xgid.cube", "xgid.turn"), POSITION),
    "backgammon.gnubg_id": POSITION,
    "dice.unreadable": LUCK,
    **{f"{game}.{key}": LUCK for game in ("abak", "backgammon") for key in ("roll_first", "rolled_already")},
    **{f"{game}.no_such_roll": LUCK for game in ("abak", "backgammon")},
    "game.unknown": CHOICES,
    "option.range": CHOICES,
    **dict.fromkeys(("match.points", "match.best_of"), CHOICES),
    **dict.fromkeys(("cube.falls", "cube.opening"), FALLING),
    "abak.other_stone": READ + ": a class is written only on the bar",
    "abak.lower_die": READ + ": it names no die",
    "abalone.lower_first": READ + ": either end of a row may be written first",
    "abalone.named_by_rear": READ + ": a move in line names one marble",
    "table.no_roll_now": RECORD,
    "table.bad_entry": RECORD,
    "table.timeout_policy": RECORD,
    "table.time_left": RECORD,
    "table.no_clock": CLOCKLESS,
    **dict.fromkeys(("hours.rest", "hours.weekend", "hours.text"), HOURS),
    "table.unfinished": "a turn that is not complete opens the picker instead",
    "table.enough_time": "the button is left out before there is so much",
    "table.no_offer": "only a board with an offer has the buttons to answer it, and an older board is stale",
}
"""Refusals that no player can get, and the reasons. ``excused`` has those that all games share."""


@cache
def keys_of_errors() -> set[str]:
    """Returns every key that the engine can refuse with: named where it is raised, or elsewhere in the rules.

    The machine players answer programs, not players.
    """
    found = raised({*ENGINE.rglob("*.py")} - {*ENGINE.glob("ai/**/*.py")}, RAISED)
    return found | {key for key in keys_in("engine.games", "engine.kits") if not is_told(key)}


def raised(paths: Iterable[Path], errors: Collection[str]) -> set[str]:
    """Returns the keys that these modules name where they raise one of these errors."""
    found: set[str] = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in errors and node.args:
                texts = [part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)]
                found |= {value for value in texts if isinstance(value, str)}
    return found


def excused() -> list[str]:
    """Returns the keys that no player can get: faults of a position text (the game's ``board.py``), and the end of the
    game.
    """
    positions = raised(ENGINE.glob("games/*/board.py"), {"BadNotation"})
    return [*UNREACHABLE, *positions, *({f"{game}.over" for game in GAMES} & keys_of_errors())]


def is_told(key: str) -> bool:
    """Returns whether the key is for a note, a name or an end, and not for a refusal."""
    return any(f".{part}." in f".{key}." for part in ("does", "end", "score", "stone", "told")) or key in keys_in(
        "engine.kits.dice"
    ) - {"dice.unreadable"}


def covered() -> set[str]:
    return {case.key for cases in TYPED.values() for case in cases} | set(ACTS)


def test_every_refusal_of_the_engine_is_caused_here_or_excused() -> None:
    missing = sorted(keys_of_errors() - covered() - {*excused()})
    assert not missing, f"no test causes these refusals; the head of this module says where they belong: {missing}"


def test_nothing_is_caused_or_excused_that_does_not_exist_or_twice() -> None:
    named = [*covered(), *excused()]
    assert {*named} - keys_of_errors() == set()
    assert len(named) == len({*named})


def test_every_refusal_has_its_sentence_in_both_languages() -> None:
    for code in ("en", "es"):
        assert [key for key in sorted(keys_of_errors()) if not language(code).has(key)] == []
