"""The parts of a message as Discord returns them: components with ids and defaults, embeds with files, mentions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.sandbox.validation import components as c

Json = dict[str, Any]
_MENTION = re.compile(r"<@!?(\d+)>")
_EVERYONE = re.compile(r"@(everyone|here)\b")

_DEFAULTS: Mapping[int, Json] = {
    c.STRING_SELECT: {"min_values": 1, "max_values": 1, "disabled": False},
    c.USER_SELECT: {"min_values": 1, "max_values": 1, "disabled": False},
    c.ROLE_SELECT: {"min_values": 1, "max_values": 1, "disabled": False},
    c.MENTIONABLE_SELECT: {"min_values": 1, "max_values": 1, "disabled": False},
    c.CHANNEL_SELECT: {"min_values": 1, "max_values": 1, "disabled": False},
    c.BUTTON: {"disabled": False},
    c.THUMBNAIL: {"description": None, "spoiler": False},
    c.FILE: {"spoiler": False},
    c.SEPARATOR: {"spacing": 1, "divider": True},
    c.CONTAINER: {"accent_color": None, "spoiler": False},
}


def components(tree: Sequence[Json], files: Mapping[str, Json]) -> list[Json]:
    """Returns the components as Discord sends them back: numbered, with defaults, media resolved through `files` by
    name.
    """
    taken = {int(x["id"]) for _, x in c.walk(list(tree)) if x.get("id")}
    free = (n for n in range(1, 10_000) if n not in taken)
    return [_component(item, files, free) for item in tree]


def _component(item: Json, files: Mapping[str, Json], free: Iterator[int]) -> Json:
    found = {k: v for k, v in item.items() if v is not None}
    found = {**_DEFAULTS.get(item["type"], {}), **found}
    found.pop("required", None)
    found["id"] = item.get("id") or next(free)
    for key in ("components",):
        if key in found:
            found[key] = [_component(x, files, free) for x in found[key]]
    if "accessory" in found:
        found["accessory"] = _component(found["accessory"], files, free)
    if "emoji" in found:
        found["emoji"] = _emoji(found["emoji"])
    if item["type"] == c.STRING_SELECT:
        found["options"] = [_option(o) for o in found["options"]]
    if "default_values" in found:
        found["default_values"] = [one | {"id": str(one["id"])} for one in found["default_values"]]
    for key in ("media", "file"):
        if key in found:
            found[key] = _media(found[key], files, int(found["id"]))
    if item["type"] == c.GALLERY:
        found["items"] = [
            {
                "media": _media(i["media"], files, n),
                "description": i.get("description"),
                "spoiler": bool(i.get("spoiler")),
            }
            for n, i in enumerate(found["items"])
        ]
    if item["type"] == c.FILE:
        held = files.get(item["file"]["url"].partition("://")[2], {})
        found |= {"name": held.get("filename"), "size": held.get("size")}
    return found


def _emoji(emoji: Json) -> Json:
    return {k: str(v) if k == "id" else v for k, v in emoji.items() if v is not None}


def _option(option: Json) -> Json:
    found = {k: v for k, v in option.items() if v is not None}
    return found | ({"emoji": _emoji(found["emoji"])} if "emoji" in found else {})


def _media(media: Json, files: Mapping[str, Json], number: int) -> Json:
    url = media["url"]
    held = files.get(url.removeprefix("attachment://")) if url.startswith("attachment://") else None
    if held is None:
        return {"id": str(number), "url": url, "proxy_url": url, "width": None, "height": None, "content_type": None}
    return {
        "id": held["id"],
        "url": held["url"],
        "proxy_url": held["proxy_url"],
        "width": held.get("width"),
        "height": held.get("height"),
        "content_type": held["content_type"],
        "attachment_id": held["id"],
    }


def embeds(items: Sequence[Json], files: Mapping[str, Json]) -> tuple[list[Json], frozenset[str]]:
    """Returns the embeds as Discord sends them back, and the ids of the files in them, which leave the attachments."""
    found, used = [], set()
    for item in items:
        embed = {k: v for k, v in item.items() if v is not None} | {"type": "rich"}
        for key in ("image", "thumbnail"):
            if key in embed:
                url = embed[key]["url"]
                held = files.get(url.removeprefix("attachment://")) if url.startswith("attachment://") else None
                embed[key] = {"url": url}
                if held is not None:
                    used.add(held["id"])
                    embed[key] = {k: held[k] for k in ("url", "proxy_url", "width", "height") if k in held}
        if "fields" in embed:
            embed["fields"] = [{**f, "inline": bool(f.get("inline"))} for f in embed["fields"]]
        found.append(embed)
    return found, frozenset(used)


def texts(message: Mapping[str, Any]) -> str:
    """Returns all texts of a message in which a mention can stand."""
    parts = [str(x.get("content", "")) for _, x in c.walk(message.get("components")) if x.get("type") == c.TEXT]
    return "\n".join([str(message.get("content") or ""), *parts])


def mentions(text: str, allowed: Mapping[str, Any] | None, known: Mapping[int, Json]) -> list[int]:
    """Returns the users whom `text` mentions and `allowed` (allowed_mentions) lets it mention, in order."""
    found = dict.fromkeys(int(i) for i in _MENTION.findall(text) if int(i) in known)
    if allowed is None or "users" in (allowed.get("parse") or ()):
        return list(found)
    among = {int(i) for i in allowed.get("users") or ()}
    return [i for i in found if i in among]


def mentions_everyone(text: str, allowed: Mapping[str, Any] | None) -> bool:
    """Returns whether `text` mentions everybody and `allowed` lets it."""
    return bool(_EVERYONE.search(text)) and (allowed is None or "everyone" in (allowed.get("parse") or ()))
