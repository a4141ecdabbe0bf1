"""The rooms of the bot are its features, in one order: none asks one that comes after it in the app's list."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import bot
from bot.app import FEATURES

ROOT = Path(bot.__file__).parent
BELOW = {"core", "settings"}
"""The rooms that every feature may ask."""


def rooms() -> list[str]:
    """Returns the features' rooms in the order of the app's list."""
    found = {path.parent.name: import_module(f"bot.{path.parent.name}.feature") for path in ROOT.glob("*/feature.py")}
    of = {id(module.FEATURE): name for name, module in found.items() if hasattr(module, "FEATURE")}
    assert len(of) == len(FEATURES)
    return [of[id(feature)] for feature in FEATURES]


def imports(room: str) -> Iterator[tuple[Path, str]]:
    """Yields each import of another part of the bot, wherever it stands: also in a function or for types alone."""
    for path in (ROOT / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if isinstance(node, ast.ImportFrom) and node.module == "bot":
                names = [f"bot.{alias.name}" for alias in node.names]
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            yield from ((path, name.split(".")[1]) for name in names if name.startswith("bot."))


def test_no_feature_asks_a_later_one() -> None:
    order = rooms()
    for number, room in enumerate(order):
        allowed = BELOW | set(order[: number + 1])
        wrong = [f"{path.relative_to(ROOT)} imports {other}" for path, other in imports(room) if other not in allowed]
        assert not wrong


DOORS = {"tables": 0, "repository": 1, "service": 2, "views": 3, "worker": 4, "commands": 4, "feature": 5}
"""The modules that every room has where it needs them, from the bottom up."""


def test_every_room_has_its_doors_in_order() -> None:
    checked = 0
    for path in (path for path in ROOT.rglob("*.py") if path.stem in DOORS and "sandbox" not in path.parts):
        room = "bot." + ".".join(path.parent.relative_to(ROOT).parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                module, names = node.module, [alias.name for alias in node.names]
                others = names if module == room else [module.removeprefix(f"{room}.")]
                for other in others if module == room or module.startswith(f"{room}.") else []:
                    checked += 1
                    assert DOORS.get(other, -1) < DOORS[path.stem], f"{path.relative_to(ROOT)} imports {other}"
    assert checked > 50


def test_the_sandbox_knows_nothing_of_ours() -> None:
    assert {other for _, other in imports("sandbox")} == {"sandbox"}


def test_the_core_knows_no_feature() -> None:
    assert [(path.name, other) for path, other in imports("core") if other not in BELOW] == []


OWN = {"fakes", "fuzz", "mutants", "soak"}
"""Folders with tests of what lies beside them."""


def test_the_folders_of_the_tests_are_those_of_the_code() -> None:
    """A module that has many tests may have a folder of them, too."""
    project = ROOT.parent
    tests = project / "tests"
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}
    mirrored = [project / folder for folder in folders if OWN.isdisjoint(folder.parts)]
    assert len(mirrored) > 50
    assert [path for path in mirrored if not (path.is_dir() or path.with_suffix(".py").is_file())] == []
