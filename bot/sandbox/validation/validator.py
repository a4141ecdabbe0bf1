"""The validator of the REST API: if strict, it checks every request and answer against Discord's OpenAPI document.

Without the document, only the rules of this package are checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from bot.sandbox.errors import Problem
from bot.sandbox.validation import messages, openapi

Json = dict[str, Any]
_BODIES: Final = frozenset({"POST", "PUT", "PATCH"})


class Violation(NamedTuple):
    """A request or an answer that breaks Discord's rules."""

    method: str
    path: str
    message: str


@dataclass
class Validator:
    """Checks requests and answers against the document if it is strict, and lists the violations."""

    strict: bool = False
    violations: list[Violation] = field(default_factory=list)

    def record(self, method: str, path: str, message: str) -> None:
        self.violations.append(Violation(method, path, message))

    def request(self, method: str, path: str, query: Mapping[str, str], body: Any) -> list[Problem]:
        """Returns the document's problems with a request; none unless strict."""
        if not self.strict or (schemas := openapi.document()) is None:
            return []
        operation = schemas.operation(method, path)
        if operation is None:
            return [Problem((), "UNKNOWN_ROUTE", f"Discord's document has no {method} {path}")]
        known = {p["name"] for p in operation.get("parameters", ()) if p["in"] == "query"}
        problems = [Problem((q,), "UNKNOWN_KEY", f"There is no query {q!r}") for q in query if q not in known]
        if method not in _BODIES or "requestBody" not in operation:
            return problems
        return problems + schemas.check(("request", method, path), openapi.normalised(body))

    def response(self, method: str, path: str, status: int, body: Any) -> list[Problem]:
        """Returns the document's problems with an answer of the stand-in itself; none unless strict."""
        if not self.strict or body is None or (schemas := openapi.document()) is None:
            return []
        operation = schemas.operation(method, path)
        if operation is None or str(status) not in operation["responses"]:
            return [Problem((), "UNKNOWN_STATUS", f"{method} {path} does not answer {status}")]
        return schemas.check((str(status), method, path), body)


def check_message(payload: Json, *, schema: bool = True) -> list[str]:
    """Returns everything that Discord would refuse in a message as it is sent. Its files are those of its attachments.

    With `schema`, the OpenAPI document is asked as well, where there is one.
    """
    problems = messages.check_message(payload)
    if schema and (schemas := openapi.document()) is not None:
        problems += schemas.check(("request", "POST", "/channels/{channel_id}/messages"), openapi.normalised(payload))
    return [str(p) for p in problems]
