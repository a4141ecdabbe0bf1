"""Every message key that the code can produce is listed, with its parameters."""

import ast
from pathlib import Path

import engine.games.abak as package
from engine.games.abak import KEYS
from engine.games.abak.board import CLASSES
from engine.games.abak.keys import NAMES
from engine.kits import cube, dice, scoring, xgid

SPEAKERS = {"BadNotation", "IllegalMove", "AmbiguousMove", "Note"}
PLACE = Path(package.__file__).parent
TREES = {path.name: ast.parse(path.read_text(encoding="utf-8")) for path in PLACE.glob("*.py")}
ELSEWHERE = {"lessons.py", "keys.py"}
"""Modules that name keys without saying them."""


def spoken(tree: ast.Module) -> list[tuple[str, tuple[str, ...]]]:
    """The keys of errors and notes, each with the names of the parameters given there."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SPEAKERS:
            names = [keyword.arg for keyword in node.keywords]
            names += [key.value for part in node.args[1:] if isinstance(part, ast.Dict) for key in part.keys]
            keys = [text.value for text in ast.walk(node.args[0]) if isinstance(text, ast.Constant)]
            found += [(key, tuple(names)) for key in keys if isinstance(key, str)]
    return found


def written(name: str) -> set[str]:
    """Every text in a module that has the form of a key of this game."""
    return {
        node.value
        for node in ast.walk(TREES[name])
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.startswith("abak.")
        and node.value.rsplit(".", 1)[1].replace("_", "").isalpha()
    }


def test_errors_and_notes_give_the_parameters_listed() -> None:
    said = [pair for tree in TREES.values() for pair in spoken(tree)]
    assert len(said) > 40
    assert {pair for pair in said if KEYS.get(pair[0]) != pair[1]} == set()


def test_the_list_holds_all_keys_and_no_other() -> None:
    said = set().union(*(written(name) for name in TREES if name not in ELSEWHERE))
    kits = set(cube.KEYS) | set(dice.KEYS) | set(scoring.KEYS) | set(xgid.KEYS)
    assert said | kits | set(NAMES.values()) == set(KEYS)
    assert not said & set(NAMES.values())


def test_every_class_has_a_name() -> None:
    assert set(NAMES) == set(CLASSES)
