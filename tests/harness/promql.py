"""Expressions of Prometheus: what they ask for, and what they say about two pages of metrics.

The parser is Prometheus' own grammar. The evaluation knows what our alerts use: selectors, ``rate`` and ``increase``,
sums, maxima and minima by labels, ``topk``, ``histogram_quantile``, ``absent``, ``time``, comparisons, differences,
quotients, and ``and``, ``or`` and ``unless``. Anything else raises KeyError.

Whatever a range or an offset says, it reaches back to the first page. As in Prometheus, a counter grows only from one
sample to the next: a series that the first page lacks has no ``rate`` and no ``increase``, whatever its value.
"""

from __future__ import annotations

import math
import operator
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import promql_parser as promql

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from harness.scrapes import Samples

Labels = tuple[tuple[str, str], ...]
Vector = dict[Labels, float]
OWN: Final = {"job", "instance"}
"""The labels that Prometheus gives to every sample."""
COMPARISONS: Final[dict[str, Callable[[float, float], bool]]] = {
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
SETS: Final = {"and", "or", "unless"}
AGGREGATES: Final[dict[str, Callable[[list[float]], float]]] = {"sum": sum, "max": max, "min": min, "count": len}


def parse(expression: str) -> Any:
    """Returns the tree of an expression, with Grafana's variables filled in. Raises ValueError."""
    return promql.parse(expression.replace("$__rate_interval", "1m").replace("$instance", ".*"))


def nodes(tree: Any) -> Iterator[Any]:
    """Yields a tree and everything in it."""
    yield tree
    for name in ("lhs", "rhs", "expr", "vector_selector"):
        if (inner := getattr(tree, name, None)) is not None:
            yield from nodes(inner)
    for inner in getattr(tree, "args", ()):
        yield from nodes(inner)


def selectors(tree: Any) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yields each metric in an expression, with the labels and values that it has to have."""
    for node in nodes(tree):
        if isinstance(node, promql.VectorSelector):
            yield node.name, [(match.name, match.value) for match in node.matchers.matchers]


def grouped(tree: Any) -> Iterator[tuple[set[str], set[str]]]:
    """Yields the labels of each ``by``, and the metrics below it."""
    for node in nodes(tree):
        if isinstance(node, promql.AggregateExpr) and node.modifier is not None:
            yield set(node.modifier.labels), {name for name, _ in selectors(node.expr)}


class Pages(NamedTuple):
    """Two pages of metrics; the second was read ``seconds`` after the first, at ``now`` in seconds since 1970."""

    before: Samples
    after: Samples
    seconds: float
    now: float = 0.0


def evaluate(tree: Any, pages: Pages) -> Vector | float:
    """Returns the value of an expression at the time of the second page."""
    if isinstance(tree, promql.NumberLiteral):
        return float(tree.val)
    if isinstance(tree, promql.ParenExpr):
        return evaluate(tree.expr, pages)
    if isinstance(tree, promql.VectorSelector):
        return _select(tree, pages)
    if isinstance(tree, promql.Call):
        return _called(tree, pages)
    if isinstance(tree, promql.AggregateExpr):
        return _aggregated(tree, _vector(tree.expr, pages))
    if isinstance(tree, promql.BinaryExpr):
        left, right = (evaluate(side, pages) for side in (tree.lhs, tree.rhs))
        return _combined(str(tree.op), left, right)
    raise KeyError(type(tree))


def _vector(tree: Any, pages: Pages) -> Vector:
    value = evaluate(tree, pages)
    assert isinstance(value, dict)
    return value


def _aggregated(tree: Any, inner: Vector) -> Vector:
    if str(tree.op) == "topk":
        most = sorted(inner.items(), key=lambda item: item[1], reverse=True)
        return dict(most[: int(tree.param.val)])
    by = tree.modifier.labels if tree.modifier is not None else []
    groups: dict[Labels, list[float]] = {}
    for labels, value in inner.items():
        groups.setdefault(tuple(pair for pair in labels if pair[0] in by), []).append(value)
    return {labels: AGGREGATES[str(tree.op)](values) for labels, values in groups.items()}


def _combined(op: str, left: Vector | float, right: Vector | float) -> Vector:
    if op == "-":
        assert isinstance(left, float)
        assert isinstance(right, dict)
        return {labels: left - value for labels, value in right.items()}
    assert isinstance(left, dict)
    if op in SETS:
        assert isinstance(right, dict)
        if op == "or":
            return right | left
        return {labels: value for labels, value in left.items() if (labels in right) == (op == "and")}
    if op == "/":
        assert isinstance(right, dict)
        return {labels: _quotient(value, right[labels]) for labels, value in left.items() if labels in right}
    holds = COMPARISONS[op]
    assert isinstance(right, float)
    return {labels: value for labels, value in left.items() if holds(value, right)}


def _quotient(value: float, by: float) -> float:
    return value / by if by else math.nan


def _called(tree: Any, pages: Pages) -> Vector | float:
    match tree.func.name:
        case "rate" | "increase" as name:
            selector = tree.args[0].vector_selector
            if selector.offset is not None:
                raise KeyError(name)
            first, second = _select(selector, pages._replace(after=pages.before)), _select(selector, pages)
            factor = 1 / pages.seconds if name == "rate" else 1.0
            return {labels: _grown(first[labels], second[labels]) * factor for labels in second if labels in first}
        case "last_over_time":
            return _select(tree.args[0].vector_selector, pages)
        case "histogram_quantile":
            return _quantiles(float(tree.args[0].val), _vector(tree.args[1], pages))
        case "absent":
            return _absent(tree.args[0], pages)
        case "time":
            return pages.now
        case name:
            raise KeyError(name)


def _grown(first: float, second: float) -> float:
    """Returns the growth of a counter. One that has fallen began again at 0."""
    return second - first if second >= first else second


def _absent(selector: Any, pages: Pages) -> Vector:
    """Returns one sample with the labels that the selector names, if it selects none."""
    if _select(selector, pages):
        return {}
    return {tuple(sorted((match.name, match.value) for match in selector.matchers.matchers)): 1.0}


def _quantiles(share: float, buckets: Mapping[Labels, float]) -> Vector:
    """Computes the quantile linearly within a bucket, as Prometheus does; beyond the last bound, it is that bound."""
    found: dict[Labels, list[tuple[float, float]]] = {}
    for labels, count in buckets.items():
        rest = tuple(pair for pair in labels if pair[0] != "le")
        found.setdefault(rest, []).append((float(dict(labels)["le"]), count))
    values = {}
    for labels, bounds in found.items():
        ordered = sorted(bounds)
        total = ordered[-1][1]
        wanted, low, below = share * total, 0.0, 0.0
        values[labels] = math.nan
        for bound, count in ordered if total else ():
            if count >= wanted:
                inside = (wanted - below) / (count - below) if count > below else 1.0
                values[labels] = low if math.isinf(bound) else low + (bound - low) * inside
                break
            low, below = bound, count
    return values


def _select(selector: Any, pages: Pages) -> Vector:
    samples = pages.after if selector.offset is None else pages.before
    return {
        labels: value
        for (name, labels), value in samples.items()
        if name == selector.name and all(_matches(match, dict(labels)) for match in selector.matchers.matchers)
    }


def _matches(match: Any, labels: Mapping[str, str]) -> bool:
    if match.name in OWN and match.name not in labels:  # a page does not say by whom it was asked for
        return True
    value = labels.get(match.name, "")
    return {
        "Equal": value == match.value,
        "NotEqual": value != match.value,
        "Re": re.fullmatch(match.value, value) is not None,
        "NotRe": re.fullmatch(match.value, value) is None,
    }[str(match.op).removeprefix("MatchOp.")]
