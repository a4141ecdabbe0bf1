"""Every message key that the code can produce is listed, with its parameters."""

import ast
from pathlib import Path

import engine.games.abak as package
from engine.games.abak import KEYS

SPEAKERS = {"BadNotation", "IllegalMove", "AmbiguousMove", "Note"}
TREES = [ast.parse(path.read_text(encoding="utf-8")) for path in Path(package.__file__).parent.glob("*.py")]


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
    said = [pair for tree in TREES for pair in spoken(tree)]
    assert len(said) > 20
    assert {pair for pair in said if KEYS.get(pair[0]) != pair[1]} == set()


def test_the_list_holds_all_keys_and_no_other() -> None:
    texts = [
        node.value
        for tree in TREES
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("abak.")
    ]
    own = {key for key in KEYS if key.startswith("abak.")}
    assert set(texts) == own
    assert {key for key in own if texts.count(key) < 2} == set(), "listed but never said"
