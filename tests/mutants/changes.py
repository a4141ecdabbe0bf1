"""Finds everything that can be changed in a module: every place, with its possible changes.

It leaves out code whose changes no test can notice: annotations and other code for types alone, decorators (sizes of
caches, slots), assertions, logs, ``__all__``, ``__repr__``. It does not change texts, or anything within an f-string,
for whose parts Python 3.11 knows no positions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

COMPARISONS: Final[dict[type[ast.cmpop], tuple[str, tuple[str, ...]]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
ARITHMETIC: Final[dict[type[ast.operator], tuple[str, str]]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
KEPT_CALLS: Final = {"tuple", "list", "set", "frozenset", "len"}
"""Without them the code would be the same or no code of any sense."""
SYMMETRIC: Final = {"max", "min"}
"""Whose arguments may change places."""
FOR_TYPES: Final = {"TypeVar", "NewType", "assert_never"}
NEVER_REACHED: Final = {"AssertionError", "NotImplementedError"}
OF_TEXT: Final = (ast.JoinedStr, ast.List, ast.Tuple)


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is different: the bytes from ``start`` to ``end`` are replaced."""

    line: int
    start: int
    end: int
    text: str

    def made_in(self, source: str) -> str:
        old = source.encode()
        return (old[: self.start] + self.text.encode() + old[self.end :]).decode()

    def matters_in(self, source: str) -> bool:
        """Returns whether the change gives other, valid code: an operator may also stand in a comment."""
        try:
            return ast.dump(ast.parse(self.made_in(source))) != ast.dump(ast.parse(source))
        except SyntaxError:
            return False


Place: TypeAlias = tuple[Change, ...]


def places(source: str) -> list[Place]:
    """Returns the places of a module in their order."""
    finder = _Finder(source)
    return [place for node in _nodes(ast.parse(source)) if (place := tuple(finder.changes(node)))]


# --- which code counts ------------------------------------------------------------------------------------------------


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in _children(node):
        yield from _nodes(child)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Assert() | ast.JoinedStr():
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            names = {_last_name(decorator) for decorator in node.decorator_list}
            if node.name != "__repr__" and not names & {"overload", "abstractmethod"}:
                yield from (default for default in (*node.args.defaults, *node.args.kw_defaults) if default)
                yield from node.body
        case ast.ClassDef():
            if "Protocol" not in {_last_name(base) for base in node.bases}:
                yield from node.body
        case ast.Lambda():
            yield node.body
        case ast.AnnAssign():
            if node.value is not None and _last_name(node.annotation) != "TypeAlias":
                yield node.value
        case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__")]):
            return
        case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Compare(left=ast.Name(id="__name__"))):
            yield from node.orelse
        case ast.Raise(exc=ast.Call(func=ast.Name(id=name))) if name in NEVER_REACHED:
            return
        case ast.Call(func=ast.Attribute(value=ast.Name(id="log"))):
            return
        case ast.Call(func=ast.Name(id=name)) if name in FOR_TYPES:
            return
        case ast.Call(func=ast.Name(id="cast"), args=[_, value]):
            yield value
        case _:
            yield from ast.iter_child_nodes(node)


def _last_name(node: ast.AST) -> str:
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return node.attr
        case ast.Call():
            return _last_name(node.func)
        case ast.Subscript():
            return _last_name(node.value)
    return ""


# --- what is changed --------------------------------------------------------------------------------------------------


class _Finder:
    def __init__(self, source: str) -> None:
        self.source = source.encode()
        self.lines = [0]
        for line in self.source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def changes(self, node: ast.AST) -> Iterator[Change]:
        match node:
            case ast.Compare():
                operands = [node.left, *node.comparators]
                for (left, right), operator in zip(pairwise(operands), node.ops, strict=True):
                    old, others = COMPARISONS[type(operator)]
                    yield from (self.between(left, right, old, new) for new in others)
            case ast.BoolOp():
                old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
                yield from (self.between(left, right, old, new) for left, right in pairwise(node.values))
            case ast.BinOp() if type(node.op) in ARITHMETIC and not (_is_text(node.left) or _is_text(node.right)):
                yield self.between(node.left, node.right, *ARITHMETIC[type(node.op)])
            case ast.UnaryOp(op=ast.Not()):
                yield self.replaced(node, self.text(node).removeprefix("not "))
            case ast.Constant(value=bool(value)):
                yield self.replaced(node, str(not value))
            case ast.Constant(value=int(value) | float(value)):
                yield from (self.replaced(node, repr(other)) for other in (value + 1, value - 1))
            case ast.Return(value=ast.expr()):
                yield self.replaced(node, "return None")
            case ast.AugAssign():
                yield self.replaced(node, "pass")
                if type(node.op) in ARITHMETIC and not _is_text(node.value):
                    yield self.between(node.target, node.value, *ARITHMETIC[type(node.op)])
            case ast.Expr(value=ast.Call() | ast.Await()) if not _is_for_readers(node.value):
                yield self.replaced(node, "pass")
            case ast.Raise() if not (node.exc is not None and _last_name(node.exc) in NEVER_REACHED):
                yield self.replaced(node, "pass")
            case ast.Break() | ast.Continue():
                yield self.replaced(node, "pass")
            case ast.Call() if not _is_for_readers(node):
                yield from self.changes_of_call(node)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                return
            case ast.If() | ast.While() | ast.IfExp():
                yield from self.negated([node.test])
            case ast.comprehension():
                yield from self.negated(node.ifs)

    def changes_of_call(self, node: ast.Call) -> Iterator[Change]:
        """Neighbours change places; a function of one argument is not called."""
        for left, right in pairwise(node.args) if _last_name(node.func) not in SYMMETRIC else ():
            if not isinstance(left, ast.Starred) and not isinstance(right, ast.Starred):
                gap = self.source[self.end(left) : self.start(right)].decode()
                text = self.text(right) + gap + self.text(left)
                yield Change(left.lineno, self.start(left), self.end(right), text)
        match node:
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if (
                name.islower() and name not in KEPT_CALLS
            ):
                if not isinstance(argument, ast.Starred | ast.GeneratorExp):
                    yield self.replaced(node, f"({self.text(argument)})")

    def negated(self, tests: Sequence[ast.expr]) -> Iterator[Change]:
        """Comparisons and ``not`` are changed by themselves."""
        for test in tests:
            if not isinstance(test, ast.Compare | ast.UnaryOp | ast.Constant):
                yield self.replaced(test, f"(not ({self.text(test)}))")

    def between(self, left: ast.expr, right: ast.expr, old: str, new: str) -> Change:
        start, end = self.end(left), self.start(right)
        return Change(left.end_lineno or 0, start, end, self.source[start:end].decode().replace(old, new, 1))

    def replaced(self, node: ast.expr | ast.stmt, text: str) -> Change:
        return Change(node.lineno, self.start(node), self.end(node), text)

    def text(self, node: ast.expr | ast.stmt) -> str:
        return self.source[self.start(node) : self.end(node)].decode()

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self.lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        return self.lines[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)


def _is_text(node: ast.expr) -> bool:
    """Returns whether ``-`` would only be a wrong type."""
    return isinstance(node, OF_TEXT) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_for_readers(node: ast.expr) -> bool:
    """Returns whether a call logs, or serves types alone."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="log"))):
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in {*FOR_TYPES, "cast"}
    return False
