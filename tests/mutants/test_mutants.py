"""Tests the changes that are made, the choice of tests for them, and the report about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mutants.__main__ import SURVIVED, TIMED_OUT, Mutant, Trial, cpu_seconds, drawn
from mutants.changes import places
from mutants.cheapest_first import MOST_MEMORY
from mutants.selection import Selection

CHANGES = {
    "a < b": {"a <= b", "a >= b"},
    "a is not None": {"a is None"},
    "a not in (b)": {"a in (b)"},
    "a and (b or c)": {"a or (b or c)", "a and (b and c)"},
    "not a": {"a"},
    "a - 2 * b": {"a + 2 * b", "a - 2 // b", "a - 3 * b", "a - 1 * b"},
    "'a' + b": set(),
    "f(a, key=True)": {"f(a, key=False)", "pass"},
    "f(a, *b)": {"pass"},
    "f(a, b)": {"f(b, a)", "pass"},
    "x = f(a)": {"x = (a)"},
    "x = max(a, b)": set(),
    "x = tuple(a)": set(),
    "x = b if a else c": {"x = b if (not (a)) else c"},
    "[a for a in b if c]": {"[a for a in b if (not (c))]"},
    "a += 'b'": {"pass"},
    "raise Refused(a)": {"pass"},
    "a: int = 1": {"a: int = 2", "a: int = 0"},
    "ä.b(ö, ü)": {"ä.b(ü, ö)", "pass"},
    "def f(a: Literal[1] = 2): return a": {
        "def f(a: Literal[1] = 3): return a",
        "def f(a: Literal[1] = 1): return a",
        "def f(a: Literal[1] = 2): return None",
    },
    "@lru_cache(maxsize=1)\ndef f(): f'{1}'": set(),
    "if TYPE_CHECKING: f(a, b)\nelse: b": set(),
    "log.info('a', b)": set(),
    "assert a < b": set(),
    "__slots__ = f(a)": set(),
    "class A(Protocol): a = 1": set(),
    "def __repr__(self): return 1": set(),
    "raise AssertionError(1)": set(),
    "x = cast('int', a)": set(),
}


@pytest.mark.parametrize("source", CHANGES)
def test_a_place_is_changed_in_every_way(source: str) -> None:
    made = [change.made_in(source) for place in places(source) for change in place if change.matters_in(source)]
    assert sorted(made) == sorted(CHANGES[source])


# --- a small tree -----------------------------------------------------------------------------------------------------

RULES = """def rise(number):
    while number < 3:
        number += 1
    return number


def unused():
    return rise(1)
"""
TESTS = """from engine.rules import rise


def test_it_is_broken():
    raise ValueError


def test_it_rises():
    assert rise(1) == 3
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    tree = tmp_path / "checkout"
    files = {
        "engine/__init__.py": "",
        "engine/rules.py": RULES,
        "bot/__init__.py": "",
        "bot/room/__init__.py": "",
        "bot/room/service.py": "from engine.rules import rise\n",
        "bot/room/locales/texts.py": "A = 1\n",
        "render/__init__.py": "",
        "tests/engine/test_rules.py": TESTS,
        "tests/bot/room/test_service.py": "def test_it():\n    from bot.room import service\n",
        "tests/bot/room/test_whole.py": "",
        "tests/bot/test_whole.py": "",
    }
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")
    (tree / "tests" / "mutants").symlink_to(Path(__file__).parent)
    return tree


def test_the_same_seed_gives_the_same_mutants_and_more_of_them(root: Path) -> None:
    first = drawn(root, 4, 7)
    assert drawn(root, 4, 7) == first == drawn(root, 6, 7)[:4]
    assert drawn(root, 6, 8) != drawn(root, 6, 7)
    assert {mutant.path for mutant in drawn(root, 100, 1)} == {"engine/rules.py"}


def test_the_nearest_tests_are_run_first(root: Path) -> None:
    room, stages = "tests/bot/room", Selection(root).stages
    assert stages("bot/room/service.py") == [
        [f"{room}/test_service.py"],
        [f"{room}/test_whole.py"],
        ["tests/bot/test_whole.py"],
    ]
    assert stages("engine/rules.py") == [["tests/engine/test_rules.py"], [f"{room}/test_service.py"]]


def mutant_of(line: str) -> Mutant:
    mutants = [Mutant("engine/rules.py", change, RULES) for place in places(RULES) for change in place]
    return next(one for one in mutants if one.diff.endswith(f"+ {line}"))


@pytest.mark.thorough
def test_a_mutant_is_killed_or_survives_and_leaves_nothing(root: Path) -> None:
    trial = Trial(root, limit=60)
    assert trial.verdict(mutant_of("while number <= 3:")) == "killed by tests/engine/test_rules.py::test_it_rises"
    assert trial.verdict(mutant_of("return rise(2)")) == SURVIVED
    assert (root / "engine/rules.py").read_text(encoding="utf-8") == RULES
    assert trial.unsteady == ["tests/engine/test_rules.py::test_it_is_broken"]


@pytest.mark.thorough
def test_a_mutant_that_never_ends_is_timed_out(root: Path) -> None:
    assert Trial(root, limit=4).verdict(mutant_of("number -= 1")) == TIMED_OUT


def test_a_mutant_that_takes_ever_more_memory_is_noticed(root: Path) -> None:
    tests = "tests/engine/test_memory.py"
    (root / tests).write_text(f"def test_it():\n    bytearray({MOST_MEMORY})\n", encoding="utf-8")
    assert Trial(root, limit=60).failing([tests], cpu_seconds() + 60) == f"{tests}::test_it"
