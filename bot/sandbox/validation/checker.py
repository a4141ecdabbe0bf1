"""Checks that all payloads share. They collect problems."""

from collections.abc import Iterable, Mapping
from typing import Any

from bot.sandbox.errors import Problem

Path = tuple[str | int, ...]
Json = Mapping[str, Any]


class Checker:
    """Collects problems. None and absent mean the same, as for Discord."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def add(self, path: Path, code: str, message: str) -> None:
        self.problems.append(Problem(path, code, message))

    def fields(self, value: object, path: Path, keys: Iterable[str]) -> dict[str, Any] | None:
        """Returns `value` without its nulls if it is an object. Reports every key that is unknown to Discord."""
        if not isinstance(value, dict):
            self.add(path, "MODEL_TYPE_CONVERT", "Only dictionaries may be used here.")
            return None
        known = frozenset(keys)
        for key in value:
            if key not in known:
                self.add((*path, key), "UNKNOWN_KEY", f"There is no field {key!r} here.")
        return {k: v for k, v in value.items() if v is not None}

    def text(self, of: Json, key: str, path: Path, low: int, high: int, *, required: bool = True) -> str:
        """Returns the text under `key`, which must have `low` to `high` characters; "" if there is none."""
        value = of.get(key)
        if value is None:
            if required:
                self.add((*path, key), "BASE_TYPE_REQUIRED", "This field is required")
            return ""
        if not isinstance(value, str):
            self.add((*path, key), "STRING_TYPE_CONVERT", "Could not interpret value as string.")
            return ""
        if not low <= len(value) <= high:
            wanted = f"Must be between {low} and {high} in length." if low else f"Must be {high} or fewer in length."
            self.add((*path, key), "BASE_TYPE_BAD_LENGTH", f"{wanted} It is {len(value)}.")
        return value

    def array(self, of: Json, key: str, path: Path, low: int, high: int) -> list[Any]:
        """Returns the list under `key`, which must have `low` to `high` items; empty if there is none and `low` is
        0.
        """
        value = of.get(key)
        if value is None:
            if low:
                self.add((*path, key), "BASE_TYPE_REQUIRED", "This field is required")
            return []
        if not isinstance(value, list):
            self.add((*path, key), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if not low <= len(value) <= high:
            message = f"Must be between {low} and {high} in length. It is {len(value)}."
            self.add((*path, key), "BASE_TYPE_BAD_LENGTH", message)
        return value

    def integer(self, of: Json, key: str, path: Path, low: int, high: int, default: int) -> int:
        """Returns the whole number under `key`, which must be from `low` to `high`."""
        value = of.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool):
            self.add((*path, key), "NUMBER_TYPE_COERCE", "Value is not int.")
            return default
        if not low <= value <= high:
            self.add((*path, key), "NUMBER_TYPE_RANGE", f"int value should be between {low} and {high}.")
        return value

    def one_of(self, of: Json, key: str, path: Path, allowed: Iterable[object]) -> Any:
        """Returns the value under `key`, which must be there and one of `allowed`."""
        value, among = of.get(key), tuple(allowed)
        if value is None:
            self.add((*path, key), "BASE_TYPE_REQUIRED", "This field is required")
        elif isinstance(value, bool) or value not in among:
            self.add((*path, key), "BASE_TYPE_CHOICES", f"Value must be one of {among}. It is {value!r}.")
        return value

    def unique(self, values: Iterable[tuple[Path, object]], code: str, what: str) -> None:
        """Reports every value of `values` (with its path) that occurred before."""
        seen: set[object] = set()
        for path, value in values:
            if value in seen:
                self.add(path, code, f"{what} {value!r} is there twice.")
            seen.add(value)
