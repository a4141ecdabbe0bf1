"""A message as a bot sends or edits it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bot.sandbox.errors import Problem
from bot.sandbox.validation.checker import Checker, Json
from bot.sandbox.validation.components import ComponentCheck
from bot.sandbox.validation.embeds import check_embeds

CROSSPOSTED, SUPPRESS_EMBEDS, EPHEMERAL, LOADING = 1, 4, 64, 128
SUPPRESS_NOTIFICATIONS, COMPONENTS_V2 = 4096, 1 << 15
UPLOAD_LIMIT = 10 * 1024 * 1024
"""The most bytes of a file on a server without boosts."""

_BASE = frozenset(["content", "embeds", "allowed_mentions", "components", "attachments", "flags", "tts"])
KEYS: Final[Mapping[str, frozenset[str]]] = {
    "create": _BASE | {"poll", "sticker_ids", "message_reference", "nonce", "enforce_nonce"},
    "edit": _BASE | {"sticker_ids"},
    "answer": _BASE | {"poll"},
    "update": _BASE,
    "followup": _BASE | {"poll", "username", "avatar_url", "thread_name", "applied_tags"},
    "followup edit": _BASE | {"poll"},
}
FLAGS: Final[Mapping[str, int]] = {
    "create": SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2,
    "edit": SUPPRESS_EMBEDS | COMPONENTS_V2,
    "answer": SUPPRESS_EMBEDS | EPHEMERAL | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2,
    "update": SUPPRESS_EMBEDS | COMPONENTS_V2,
    "followup": SUPPRESS_EMBEDS | EPHEMERAL | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2,
    "followup edit": SUPPRESS_EMBEDS | COMPONENTS_V2,
}
# A library hands back an attachment of a message with all its fields.
_ATTACHMENT_KEYS = frozenset(
    [
        "id",
        "filename",
        "description",
        "duration_secs",
        "waveform",
        "title",
        "is_spoiler",
        "is_remix",
        "spoiler",
        "size",
        "url",
        "proxy_url",
        "content_type",
        "width",
        "height",
        "ephemeral",
        "flags",
        "placeholder",
        "placeholder_version",
    ]
)


@dataclass(frozen=True)
class MessageContext:
    """The purpose of a payload: the kind of request, and the present parts of its message."""

    kind: str = "create"
    v2: bool = False
    kept: Mapping[int, str] = field(default_factory=dict)
    """The files of the edited message: id to name."""
    uploads: Mapping[int, tuple[str, int]] | None = None
    """The files sent along: index to name and bytes. None: taken from the payload's attachments."""
    legacy: frozenset[str] = frozenset()
    """The filled fields of the edited message that Components V2 excludes."""


def check_message(payload: object, context: MessageContext | None = None) -> list[Problem]:
    """Returns everything that Discord would refuse in `payload`."""
    context = context or MessageContext()
    check = Checker()
    message = check.fields(payload, (), KEYS[context.kind])
    if message is None or not isinstance(payload, dict):
        return check.problems
    flags = check.integer(message, "flags", (), 0, 1 << 31, 0)
    if flags & ~FLAGS[context.kind]:
        check.add(("flags",), "MESSAGE_FLAGS_INVALID", f"Flags {flags} cannot be set here.")
    v2 = bool(flags & COMPONENTS_V2) or context.v2
    files = _files(check, message, context)
    check.text(message, "content", (), 0, 2000, required=False)
    embeds = check.array(message, "embeds", (), 0, 10)
    check_embeds(check, embeds, files)
    ComponentCheck(check, files, v2).message(message)
    if v2:
        for key in ("content", "embeds", "poll", "sticker_ids"):
            if message.get(key) or (key in context.legacy and key not in payload):
                text = f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
                check.add((key,), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", text)
    if isinstance(nonce := message.get("nonce"), str) and len(nonce) > 25:
        check.add(("nonce",), "NONCE_TYPE_TOO_LONG", "Must be 25 or fewer in length.")
    _check_mentions(check, message)
    return check.problems


def _files(check: Checker, message: Json, context: MessageContext) -> frozenset[str]:
    """Returns the names of the files that the message will have, for `attachment://`."""
    entries = check.array(message, "attachments", (), 0, 10)
    names: list[str] = []
    uploads = context.uploads
    for n, entry in enumerate(entries):
        at = ("attachments", n)
        item = check.fields(entry, at, _ATTACHMENT_KEYS)
        if item is None:
            continue
        check.text(item, "description", at, 0, 1024, required=False)
        check.text(item, "filename", at, 1, 1024, required=False)
        key = number(item.get("id"))
        if key is None:
            check.add((*at, "id"), "BASE_TYPE_REQUIRED", "This field is required")
        elif key in context.kept:
            names.append(context.kept[key])
        elif uploads is None or key in uploads:
            names.append(str(item.get("filename") or (uploads or {}).get(key, ("",))[0]))
        else:
            check.add((*at, "id"), "ATTACHMENT_NOT_FOUND", f"No file {key} was sent or is on the message.")
    if "attachments" not in message:
        names += context.kept.values()
    listed = {number(e.get("id")) for e in entries if isinstance(e, dict)}
    for index, (name, size) in (uploads or {}).items():
        if index not in listed:
            names.append(name)
        if size > UPLOAD_LIMIT:
            check.add(("files", index), "FILE_TOO_LARGE", f"File {name!r} of {size} bytes is over 10 MiB.")
    if len(names) > 10:
        check.add(("attachments",), "BASE_TYPE_MAX_LENGTH", f"At most 10 files; there are {len(names)}.")
    return frozenset(names)


def _check_mentions(check: Checker, message: Json) -> None:
    at = ("allowed_mentions",)
    if "allowed_mentions" not in message:
        return
    mentions = check.fields(message["allowed_mentions"], at, ("parse", "users", "roles", "replied_user"))
    if mentions is None:
        return
    parse = check.array(mentions, "parse", at, 0, 3)
    for n, kind in enumerate(parse):
        if kind not in {"users", "roles", "everyone"}:
            check.add((*at, "parse", n), "BASE_TYPE_CHOICES", "Must be users, roles or everyone.")
    for key in ("users", "roles"):
        ids = check.array(mentions, key, at, 0, 100)
        if ids and key in parse:
            text = f"parse:[{key!r}] and {key}: [ids...] are mutually exclusive."
            check.add(at, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", text)
        check.unique([((*at, key, n), str(i)) for n, i in enumerate(ids)], "SET_TYPE_ALREADY_CONTAINS_VALUE", "Id")


def number(value: Any) -> int | None:
    """Converts an id to a number, whether it came as text or not."""
    return int(value) if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()) else None


def has_content(message: Json, files: Collection[Any]) -> bool:
    """Returns whether a message shows anything. Discord refuses an empty one with 50006."""
    return bool(files) or any(message.get(k) for k in ("content", "embeds", "components", "sticker_ids", "poll"))
