"""Every message key in the code is listed with its parameters, and none is listed in vain."""

import ast
from pathlib import Path

import engine.games.apb as package
from engine.games.apb import KEYS

SOURCES = [path for path in Path(str(package.__file__)).parent.glob("*.py") if path.name != "keys.py"]


def produced() -> dict[str, set[tuple[str, ...]]]:
    """Each key with the parameters of every call that names it."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            for value in node.args:
                if isinstance(value, ast.Constant) and str(value.value).startswith("apb."):
                    names = [word.arg or "" for word in node.keywords]
                    for given in node.args:
                        if isinstance(given, ast.Dict):
                            names += [key.value for key in given.keys if isinstance(key, ast.Constant)]
                    found.setdefault(value.value, set()).add(tuple(names))
    return found


def test_keys_and_parameters() -> None:
    assert produced() == {key: {params} for key, params in KEYS.items()}


def test_no_key_hides_outside_a_call() -> None:
    texts = {
        node.value
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("apb.")
    }
    assert texts == set(KEYS)
