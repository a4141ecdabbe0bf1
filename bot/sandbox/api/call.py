"""The types of the REST API: a call, its answer, and a route."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bot.sandbox.errors import InvalidFormError, Problem

if TYPE_CHECKING:
    from bot.sandbox.state.attachments import Upload
    from bot.sandbox.world import World

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A parsed request: the path's parameters, the query, the body (or a form's payload_json), the files."""

    world: World
    gateway_url: str
    params: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    files: Mapping[int, Upload]

    def id(self, name: str) -> int:
        """Returns a snowflake in the path."""
        return _snowflake(name, self.params[name])

    def query_number(self, name: str) -> int | None:
        return _snowflake(name, self.query[name]) if name in self.query else None

    def query_flag(self, name: str) -> bool:
        return self.query.get(name, "").lower() in {"1", "true"}

    @property
    def fields(self) -> Json:
        """The body, which must be an object; without one, it is empty."""
        if self.body is None:
            return {}
        if not isinstance(self.body, dict):
            raise InvalidFormError([Problem((), "MODEL_TYPE_CONVERT", "Only dictionaries may be used here.")])
        return self.body


DIGITS: Final = 20
"""The most digits of an id."""


def _snowflake(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= DIGITS):
        raise InvalidFormError([Problem((name,), "NUMBER_TYPE_COERCE", f'Value "{text[:DIGITS]}" is not snowflake.')])
    return int(text)


Answer = tuple[int, Any]
"""A status and a body; None for 204."""


class Route(NamedTuple):
    """A method, a path as in Discord's OpenAPI document, and the function that answers."""

    method: str
    path: str
    answer: Callable[[Call], Answer]
    public: bool = False
    """Whether it needs no token of the bot, as the path holds a token."""
