"""Embeds (documentation, "Embed Limits")."""

from collections.abc import Mapping
from typing import Final

from bot.sandbox.validation.checker import Checker, Path

_KEYS = frozenset(
    [
        "type",
        "url",
        "title",
        "color",
        "timestamp",
        "description",
        "author",
        "image",
        "thumbnail",
        "footer",
        "fields",
        "provider",
        "video",
        "flags",
    ]
)
_TEXTS: Final[Mapping[str, int]] = {"title": 256, "description": 4096}
_PARTS: Final[Mapping[str, tuple[str, int]]] = {"footer": ("text", 2048), "author": ("name", 256)}
_PART_KEYS = frozenset(["text", "icon_url", "proxy_icon_url", "name", "url"])
_MEDIA_KEYS = frozenset(["url", "proxy_url", "width", "height", "content_type", "description", "flags", "placeholder"])
TOTAL = 6000


def check_embeds(check: Checker, embeds: list[object], files: frozenset[str]) -> None:
    """Checks the embeds of one message; `files` are the names that `attachment://` may refer to."""
    letters = 0
    for n, item in enumerate(embeds):
        path: Path = ("embeds", n)
        embed = check.fields(item, path, _KEYS)
        if embed is None:
            continue
        for key, limit in _TEXTS.items():
            letters += len(check.text(embed, key, path, 0, limit, required=False))
        for part, (key, limit) in _PARTS.items():
            if part in embed and (found := check.fields(embed[part], (*path, part), _PART_KEYS)) is not None:
                letters += len(check.text(found, key, (*path, part), 1, limit))
        for i, entry in enumerate(check.array(embed, "fields", path, 0, 25)):
            at = (*path, "fields", i)
            if (field := check.fields(entry, at, ("name", "value", "inline"))) is not None:
                letters += len(check.text(field, "name", at, 1, 256)) + len(check.text(field, "value", at, 1, 1024))
        check.integer(embed, "color", path, 0, 0xFFFFFF, 0)
        for part in ("image", "thumbnail"):
            at = (*path, part)
            if part in embed and (media := check.fields(embed[part], at, _MEDIA_KEYS)) is not None:
                scheme, _, name = check.text(media, "url", at, 1, 2048).partition("://")
                if scheme == "attachment" and name not in files:
                    check.add((*at, "url"), "MEDIA_ATTACHMENT_NOT_FOUND", f"No file is called {name!r}.")
                elif scheme not in {"attachment", "http", "https"}:
                    check.add((*at, "url"), "URL_TYPE_INVALID_SCHEME", f"Scheme {scheme!r} is not possible.")
        if not any(embed.get(k) for k in ("title", "description", "author", "image", "thumbnail", "footer", "fields")):
            check.add((*path, "description"), "BASE_TYPE_REQUIRED", "This embed shows nothing.")
    if letters > TOTAL:
        check.add(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds {TOTAL}: {letters}.")
