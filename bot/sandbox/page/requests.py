"""Readers of a page's request. They check each part before the world is changed."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Final

from bot.sandbox.state.attachments import Upload

Request = Mapping[str, object]
LOCALES = ("en-US", "es-ES")


DIGITS: Final = 20
"""The most digits of an id."""


class BadRequest(Exception):
    """The page sent a request that is not well formed."""

    code = "bad"


def identity(request: Request, key: str) -> int:
    value = str(request.get(key, ""))
    if not (value.isascii() and value.isdigit() and len(value) <= DIGITS):
        raise BadRequest(f"{key}: not an id")
    return int(value)


def text(request: Request, key: str) -> str:
    value = request.get(key)
    if not isinstance(value, str):
        raise BadRequest(f"{key}: not a text")
    return value


def options(request: Request) -> dict[str, Any]:
    value = request.get("options")
    if not isinstance(value, Mapping):
        raise BadRequest("options: not an object")
    given: dict[str, Any] = {}
    for key, part in value.items():
        if isinstance(part, Mapping):
            given[str(key)] = _file(str(key), part)
        elif isinstance(part, str | int | float | bool):
            given[str(key)] = part
    return given


def _file(key: str, part: Mapping[str, object]) -> Upload:
    """Reads a file as the page sends it: its name, its type, and its bytes in base64."""
    try:
        content = base64.b64decode(text(part, "content"), validate=True)
    except binascii.Error:
        raise BadRequest(f"{key}: not base64") from None
    return Upload(text(part, "name"), content, text(part, "type") or "application/octet-stream")


def boolean(request: Request) -> bool:
    value = request.get("on")
    if not isinstance(value, bool):
        raise BadRequest("on: neither true nor false")
    return value


def name(request: Request, longest: int) -> str:
    """Reads a name of at most `longest` characters, with single spaces."""
    found = " ".join(text(request, "name").split())
    if not 0 < len(found) <= longest:
        raise BadRequest(f"name: 1 to {longest} characters")
    return found


def locale(request: Request) -> str:
    found = text(request, "locale")
    if found not in LOCALES:
        raise BadRequest("locale: unknown")
    return found
