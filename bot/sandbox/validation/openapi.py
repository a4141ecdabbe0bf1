"""Discord's OpenAPI document, as a validator of requests and answers.

The document is Discord's and no part of the project. It is found beside the checkout, or at the path in the environment
variable ABAKBOT_DISCORD_OPENAPI.
"""

from __future__ import annotations

import functools
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bot.sandbox.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jsonschema_rs import Draft202012Validator as Validator
    from jsonschema_rs import ValidationError

Json = dict[str, Any]
PATH_VARIABLE = "ABAKBOT_DISCORD_OPENAPI"
DEFAULT_PATH = Path(__file__).resolve().parents[3].parent / "shared" / "discord" / "openapi.json"
_URI = "urn:discord"
# Fields that Discord accepts although its document does not say so.
_UNDOCUMENTED: Final[Mapping[str, frozenset[str]]] = {
    "ApplicationCommandUpdateRequest": frozenset({"nsfw"}),
    "ApplicationCommandCreateRequest": frozenset({"nsfw"}),
    "ApplicationCommandResponse": frozenset({"default_permission"}),
    "RichEmbed": frozenset({"flags"}),
    "MessageEditRequestPartial": frozenset({"tts"}),
    "IncomingWebhookUpdateRequestPartial": frozenset({"tts"}),
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial": frozenset({"tts"}),
    "MessageAttachmentRequest": frozenset(
        {"size", "url", "proxy_url", "content_type", "spoiler", "width", "height", "ephemeral", "flags"}
    ),
}


def document_path() -> Path | None:
    """Returns the path of Discord's OpenAPI document; None if there is none."""
    named = os.environ.get(PATH_VARIABLE)
    path = Path(named) if named else DEFAULT_PATH
    return path if path.is_file() else None


def status_line() -> str:
    """Returns a line for the header of a test run, which says whether the document is used."""
    if document_path() is None:
        missing = f"Discord's OpenAPI document is missing; set {PATH_VARIABLE}, see CONTRIBUTING.md."
        return f"WARNING: {missing} Only the project's own rules are checked."
    return "discord: every request and answer is checked against Discord's OpenAPI document"


def normalised(body: Any) -> Any:
    """Converts a body to the document's types: ids as texts, although Discord takes numbers too."""
    if not isinstance(body, dict):
        return body
    found = dict(body)
    for key in ("data", "message"):
        if isinstance(found.get(key), dict):
            found[key] = normalised(found[key])
    if isinstance(found.get("attachments"), list):
        found["attachments"] = [_texts(a, "id") for a in found["attachments"]]
    if isinstance(found.get("message_reference"), dict):
        found["message_reference"] = _texts(found["message_reference"], "message_id", "channel_id", "guild_id")
    if isinstance(found.get("allowed_mentions"), dict):
        found["allowed_mentions"] = _texts(found["allowed_mentions"], "users", "roles")
    if isinstance(found.get("components"), list):
        found["components"] = [normalised(component) for component in found["components"]]
    if isinstance(found.get("default_values"), list):
        found["default_values"] = [_texts(one, "id") for one in found["default_values"]]
    return _texts(found, "recipient_id")


def _texts(of: Any, *keys: str) -> Any:
    if not isinstance(of, dict):
        return of
    return of | {
        k: [str(i) for i in v] if isinstance(v := of[k], list) else str(v) for k in keys if of.get(k) is not None
    }


class Document:
    """Discord's OpenAPI document, with its unions told apart by `type` and its objects closed to unknown keys."""

    def __init__(self, path: Path) -> None:
        import jsonschema_rs

        self._rs = jsonschema_rs
        source = json.loads(path.read_text("utf-8"))
        self._paths: Json = source["paths"]
        schemas = source["components"]["schemas"]
        self._schemas: Json = schemas
        open_ones = set(_composed(schemas))
        tightened = {name: self._tighten(name, s, name in open_ones) for name, s in schemas.items()}
        resource = {"components": {"schemas": tightened}}
        self._registry = jsonschema_rs.Registry([(_URI, resource)], draft=jsonschema_rs.Draft202012)
        self._validators: dict[tuple[str, str, str], Validator] = {}

    def operation(self, method: str, path: str) -> Json | None:
        found: Json | None = self._paths.get(path, {}).get(method.lower())
        return found

    def check(self, key: tuple[str, str, str], body: Any) -> list[Problem]:
        """Returns everything wrong with `body`; the key is ("request" or a status, method, path)."""
        validator = self._validators.get(key)
        if validator is None:
            validator = self._validators[key] = self._compile(key)
        if validator.is_valid(body):
            return []
        return [p for e in validator.iter_errors(body) for p in _problems(e)]

    def _compile(self, key: tuple[str, str, str]) -> Validator:
        which, method, path = key
        operation = self._paths[path][method.lower()]
        place = operation["requestBody"] if which == "request" else operation["responses"][which]
        schema = place["content"]["application/json"]["schema"]
        return self._rs.Draft202012Validator(
            self._tighten("", schema, False), registry=self._registry, validate_formats=True
        )

    def _tighten(self, name: str, schema: Any, is_open: bool) -> Any:
        if isinstance(schema, list):
            return [self._tighten("", s, False) for s in schema]
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            return {"$ref": _URI + schema["$ref"]}
        found = {k: self._tighten("", v, False) for k, v in schema.items() if k not in {"oneOf", "anyOf", "properties"}}
        if "properties" in schema:
            properties = schema["properties"]
            found["properties"] = {k: self._tighten("", v, False) for k, v in properties.items()}
            if not is_open and "allOf" not in schema and "additionalProperties" not in schema:
                found["properties"] |= dict.fromkeys(_UNDOCUMENTED.get(name, ()), True)
                found["additionalProperties"] = False
        for union in ("oneOf", "anyOf"):
            if union in schema:
                found |= self._union(union, schema[union])
        return found

    def _union(self, word: str, branches: list[Any]) -> Json:
        """Returns a union by `type`, so that a problem is reported for the intended branch."""
        nothing = {"type": "null"}
        if len(branches) == 2 and nothing in branches:
            (other,) = [b for b in branches if b != nothing]
            return {"allOf": [{"if": {"not": nothing}, "then": self._tighten("", other, False)}]}
        marks = [self._types(b) for b in branches]
        if not all(marks) or len({t for m in marks for t in m}) != sum(map(len, marks)):
            return {word: self._tighten("", branches, False)}
        every = sorted({t for m in marks for t in m})
        known: Json = {"required": ["type"], "properties": {"type": {"enum": every}}}
        chosen = [
            {"if": {"properties": {"type": {"enum": mark}}}, "then": self._tighten("", branch, False)}
            for mark, branch in zip(marks, branches, strict=True)
        ]
        return {"allOf": [known, *chosen]}

    def _types(self, branch: Any) -> list[int]:
        """Returns the values of `type` that a branch allows; [] if it has none."""
        if not isinstance(branch, dict) or "$ref" not in branch:
            return []
        target = self._schemas[branch["$ref"].rsplit("/", 1)[1]]
        mark = target.get("properties", {}).get("type", {})
        return list(mark["enum"]) if "type" in target.get("required", ()) and "enum" in mark else []


def _problems(error: ValidationError) -> list[Problem]:
    """Returns one problem for each unknown key, or one for any other error."""
    path = tuple(error.instance_path)
    unexpected: list[str] = getattr(error.kind, "unexpected", [])
    if unexpected:
        return [Problem((*path, key), "UNKNOWN_KEY", f"There is no field {key!r} here.") for key in unexpected]
    return [Problem(path, "SCHEMA", error.message[:500])]


def _composed(schema: Any) -> Iterator[str]:
    """Yields the schemas of which others are composed. They cannot be closed."""
    if isinstance(schema, dict):
        for part in schema.get("allOf", ()):
            if "$ref" in part:
                yield part["$ref"].rsplit("/", 1)[1]
        for value in schema.values():
            yield from _composed(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _composed(value)


@functools.cache
def _load(path: Path) -> Document:
    return Document(path)


def document() -> Document | None:
    """Returns the document, read once; None if it or its checker (a development dependency) is missing."""
    path = document_path()
    if path is None:
        return None
    try:
        return _load(path)
    except ImportError:
        return None
