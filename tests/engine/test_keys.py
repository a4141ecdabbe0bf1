"""Every message key that a game or a kit can produce is listed, with its parameters; none is listed in vain."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from engine.games.abak.board import CLASSES
from engine.games.abak.keys import NAMES
from engine.kits import cube, dice, scoring, xgid
from engine.match import match
from engine.registry import GAMES

if TYPE_CHECKING:
    from types import ModuleType

KITS: Final = (cube, dice, scoring, xgid)
SPEAKERS: Final = {"BadNotation", "IllegalMove", "AmbiguousMove", "RuleError", "Note", "Outcome", "win"}
NAMING: Final = {"keys.py", "lessons.py"}
"""Modules that name keys without saying them."""
BUILT: Final = set(NAMES.values())
"""Keys that are put together: each class of Abak's stones has its name."""
LOOKED_UP: Final = {"abak.blocked", "abak.five_stones"}
"""Keys that come out of a table, and are said by whatever it gives."""


def trees_of(module: ModuleType) -> list[ast.Module]:
    """What a game's package or a module says."""
    file = Path(str(module.__file__))
    paths = file.parent.glob("*.py") if file.stem == "__init__" else [file]
    return [ast.parse(path.read_text(encoding="utf-8")) for path in paths if path.name not in NAMING]


def said(trees: list[ast.Module], keys: set[str]) -> set[tuple[str, tuple[str, ...]]]:
    """The keys of errors, notes and ends, each with the names of the parameters given there."""
    found = set()
    for node in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if not isinstance(node.func, ast.Name) or node.func.id not in SPEAKERS:
            continue
        names = [keyword.arg or "" for keyword in node.keywords]
        dictionaries = (part for part in node.args if isinstance(part, ast.Dict))
        names += [key.value for part in dictionaries for key in part.keys if isinstance(key, ast.Constant)]
        texts = (part.value for argument in node.args for part in ast.walk(argument) if isinstance(part, ast.Constant))
        found |= {(text, tuple(names)) for text in texts if text in keys}
    return found


def written(trees: list[ast.Module], area: str) -> set[str]:
    """Every text that has the form of a key of that area."""
    texts = (node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {
        text
        for text in texts
        if isinstance(text, str) and text.startswith(f"{area}.") and text.replace("_", "").replace(".", "").isalpha()
    }


def keys_of(game: str) -> dict[str, tuple[str, ...]]:
    listed: dict[str, tuple[str, ...]] = import_module(f"engine.games.{game}").KEYS
    return listed


@pytest.mark.parametrize("game", GAMES)
def test_what_a_game_says_has_the_parameters_listed(game: str) -> None:
    keys = keys_of(game)
    own = {key for key in keys if key.startswith(f"{game}.")} - BUILT
    pairs = said(trees_of(import_module(f"engine.games.{game}")), set(keys))
    assert {pair for pair in pairs if keys[pair[0]] != pair[1]} == set()
    assert own - {key for key, _ in pairs} == own & LOOKED_UP


@pytest.mark.parametrize("game", GAMES)
def test_a_game_lists_all_its_keys_and_those_of_its_kits_and_no_other(game: str) -> None:
    keys = keys_of(game)
    trees = trees_of(import_module(f"engine.games.{game}"))
    own = written(trees, game)
    assert own | {key for key in BUILT if key.startswith(f"{game}.")} == {k for k in keys if k.startswith(f"{game}.")}
    kits = set().union(*(set(kit.KEYS) for kit in KITS if set(kit.KEYS) & set(keys)))
    assert set(keys) - {key for key in keys if key.startswith((f"{game}.", f"told.{game}."))} == kits
    assert not own & BUILT


@pytest.mark.parametrize("module", [*KITS, match], ids=lambda module: module.__name__.rpartition(".")[2])
def test_what_a_module_says_has_the_parameters_listed(module: ModuleType) -> None:
    keys: dict[str, tuple[str, ...]] = module.KEYS
    pairs = said(trees_of(module), set(keys))
    assert {pair for pair in pairs if keys[pair[0]] != pair[1]} == set()
    if module is match:
        assert {key for key, _ in pairs} == set(keys)


def test_reasons_are_keys() -> None:
    assert {*scoring.REASONS.values(), "score.borne_off"} == set(scoring.KEYS)


def test_every_class_has_a_name() -> None:
    assert set(NAMES) == set(CLASSES)
