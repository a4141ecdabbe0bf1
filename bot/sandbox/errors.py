"""Errors: Discord's answers to a bot, and its client's refusals to a person."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class Problem(NamedTuple):
    """A problem in a request's body: its place, Discord's code for it, and a sentence."""

    path: tuple[str | int, ...]
    code: str
    message: str

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path)) or 'body'}: {self.message}"


@dataclass
class WireError(Exception):
    """An error answer in Discord's shape. `fault` marks an error that only a careless request can cause."""

    status: int
    code: int
    message: str
    fault: bool = False

    def __str__(self) -> str:
        return f"{self.status} {self.code} {self.message}"

    def body(self) -> dict[str, Any]:
        return {"message": self.message, "code": self.code}


class InvalidFormError(WireError):
    """400 "Invalid Form Body", with the tree of problems."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(400, 50035, "Invalid Form Body", fault=True)
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "; ".join(map(str, self.problems))

    def body(self) -> dict[str, Any]:
        tree: dict[str, Any] = {}
        for problem in self.problems:
            node = tree
            for key in problem.path:
                node = node.setdefault(str(key), {})
            node.setdefault("_errors", []).append({"code": problem.code, "message": problem.message})
        return super().body() | {"errors": tree}


def unknown_channel() -> WireError:
    return WireError(404, 10003, "Unknown Channel")


def unknown_message() -> WireError:
    return WireError(404, 10008, "Unknown Message")


def missing_access() -> WireError:
    return WireError(403, 50001, "Missing Access")


def missing_permission() -> WireError:
    return WireError(403, 50013, "Missing Permissions")


class Refused(ValueError):
    """Discord's client does not let a person do this: no such button, a missing option, and so on."""


class Timeout(TimeoutError):
    """The bot did not answer within three seconds; a person reads "The application did not respond"."""
