"""Every message key that the code can produce is listed, with its parameters."""

import ast
from pathlib import Path

import engine.games.backgammon as package
from engine.games.backgammon import KEYS
from engine.kits import cube, dice, scoring, xgid

SPEAKERS = {"BadNotation", "IllegalMove", "AmbiguousMove", "Note"}
TREES = [ast.parse(path.read_text(encoding="utf-8")) for path in Path(package.__file__).parent.glob("*.py")]
KITS = [ast.parse(Path(str(kit.__file__)).read_text(encoding="utf-8")) for kit in (cube, dice, scoring, xgid)]


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


def test_errors_and_notes_give_the_parameters_listed() -> None:
    said = [pair for tree in (*TREES, *KITS) for pair in spoken(tree)]
    assert len(said) > 30
    assert {pair for pair in said if KEYS.get(pair[0]) != pair[1]} == set()


def test_the_list_holds_all_keys_and_no_other() -> None:
    texts = [
        node.value
        for tree in TREES
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("backgammon.")
    ]
    keys = {text for text in texts if " " not in text}
    assert keys | set(cube.KEYS) | set(dice.KEYS) | set(scoring.KEYS) | set(xgid.KEYS) == set(KEYS)
    assert {key for key in keys if texts.count(key) < 2} == set(), "listed but never said"


def test_reasons_are_keys() -> None:
    assert set(scoring.REASONS.values()) == set(scoring.KEYS)
