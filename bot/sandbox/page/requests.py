"""Readers of a page's request: they check each part of it before the world is changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Request = Mapping[str, object]
LOCALES = ("en-US", "es-ES")


class BadRequest(Exception):
    """The page sent a request that is not well formed."""

    code = "bad"


def identity(request: Request, key: str) -> int:
    value = str(request.get(key, ""))
    if not (value.isascii() and value.isdigit()):
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
    return {str(key): part for key, part in value.items() if isinstance(part, str | int | float | bool)}


def boolean(request: Request) -> bool:
    value = request.get("on")
    if not isinstance(value, bool):
        raise BadRequest("on: neither true nor false")
    return value


def name(request: Request, longest: int) -> str:
    """A name of at most so many characters, its spaces single."""
    found = " ".join(text(request, "name").split())
    if not 0 < len(found) <= longest:
        raise BadRequest(f"name: 1 to {longest} characters")
    return found


def locale(request: Request) -> str:
    found = text(request, "locale")
    if found not in LOCALES:
        raise BadRequest("locale: unknown")
    return found
