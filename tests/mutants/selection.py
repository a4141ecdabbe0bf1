"""Selects the tests that could notice a change of a module: those of its room, and those that import it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path, PurePosixPath

PACKAGES = ("engine", "render", "bot")
FAR = 2


class Selection:
    """The test modules of a tree, and how far each is from a module of the product, in imports."""

    def __init__(self, root: Path) -> None:
        self.root = root
        files = [path for folder in (*PACKAGES, "tests") for path in sorted((root / folder).rglob("*.py"))]
        self.names = {_name(path.relative_to(root)): path.relative_to(root).as_posix() for path in files}
        self.importers: dict[str, set[str]] = defaultdict(set)
        for name, path in self.names.items():
            for imported in _imported((root / path).read_text(encoding="utf-8"), types=path.startswith("tests/")):
                module = imported if imported in self.names else imported.rpartition(".")[0]
                self.importers[module].add(name)

    def stages(self, path: str) -> list[list[str]]:
        """Returns the tests to run, the likeliest first; each stage is a run of its own, as collecting tests takes
        time.

        First the direct importers in the module's folder; then the rest of the folder, and other direct importers; then
        the whole room, importers of importers, and the tests of the package that are in no room.
        """
        first, second = self.tests_by_distance(path)
        rooms = [self.tests_in(room) for room in self.rooms(path)] or [first]
        whole = [test for room in rooms[1:] for test in room]
        stages: list[list[str]] = []
        wanted = (
            [test for test in rooms[0] if test in first],
            [*rooms[0], *first],
            [*whole, *second, *self.flat(path)],
        )
        for tests in wanted:
            known = {test for stage in stages for test in stage}
            stages.append([test for test in dict.fromkeys(tests) if test not in known])
        return [stage for stage in stages if stage]

    def rooms(self, path: str) -> list[str]:
        """Returns the folders of tests for a module, the deepest first, below that of its package."""
        folders = [PurePosixPath("tests", folder) for folder in PurePosixPath(path).parents][:-2]
        return [str(folder) for folder in folders if (self.root / folder).is_dir()]

    def tests_in(self, folder: str) -> list[str]:
        return [test for test in self.names.values() if test.startswith(f"{folder}/") and _is_test(test)]

    def flat(self, path: str) -> list[str]:
        """Returns the tests of the module's package that are in no room."""
        folder = PurePosixPath("tests", PurePosixPath(path).parts[0])
        return [test for test in self.names.values() if PurePosixPath(test).parent == folder and _is_test(test)]

    def tests_by_distance(self, path: str) -> list[list[str]]:
        """For each distance from 1 to FAR the tests that are as near."""
        reached = list(accumulate(range(FAR), lambda names, _: self.all_importers(names), initial={_name(Path(path))}))
        return [sorted(filter(_is_test, (self.names[name] for name in names))) for names in reached[1:]]

    def all_importers(self, names: set[str]) -> set[str]:
        return {importer for name in names for importer in self.importers[name]}


def _is_test(path: str) -> bool:
    return path.startswith("tests/") and PurePosixPath(path).name.startswith("test_")


def _name(path: Path) -> str:
    """Returns the name under which a module is imported; the folder tests itself is on the path."""
    parts = [*path.parts[path.parts[0] == "tests" : -1], path.stem]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(source: str, *, types: bool) -> Iterator[str]:
    """Yields all imports of a module. ``types``: also those for types alone, which tests have for values of
    fixtures.
    """
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom(module=str(module)):
                yield module
                yield from (f"{module}.{alias.name}" for alias in node.names)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")) if not types:
                waiting.extend(node.orelse)
            case _:
                waiting.extend(ast.iter_child_nodes(node))
