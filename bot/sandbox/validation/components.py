"""Message components: rows, buttons, menus and the parts of Components V2 (documentation, "Component Reference")."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bot.sandbox.validation.checker import Checker, Json, Path
from bot.sandbox.validation.emoji import is_emoji

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 5, 6, 7, 8
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = 9, 10, 11, 12, 13, 14, 17
LABEL, FILE_UPLOAD = 18, 19
SELECTS: Final = frozenset({STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT})
LINK, PREMIUM = 5, 6

_SELECT_KEYS = frozenset(["type", "id", "custom_id", "placeholder", "min_values", "max_values", "disabled", "required"])
KEYS: Final[Mapping[int, frozenset[str]]] = {
    ROW: frozenset({"type", "id", "components"}),
    BUTTON: frozenset(["type", "id", "custom_id", "style", "label", "disabled", "url", "sku_id", "emoji"]),
    STRING_SELECT: _SELECT_KEYS | {"options"},
    USER_SELECT: _SELECT_KEYS | {"default_values"},
    ROLE_SELECT: _SELECT_KEYS | {"default_values"},
    MENTIONABLE_SELECT: _SELECT_KEYS | {"default_values"},
    CHANNEL_SELECT: _SELECT_KEYS | {"default_values", "channel_types"},
    SECTION: frozenset({"type", "id", "components", "accessory"}),
    TEXT: frozenset({"type", "id", "content"}),
    THUMBNAIL: frozenset({"type", "id", "media", "description", "spoiler"}),
    GALLERY: frozenset({"type", "id", "items"}),
    FILE: frozenset({"type", "id", "file", "spoiler"}),
    SEPARATOR: frozenset({"type", "id", "spacing", "divider"}),
    CONTAINER: frozenset({"type", "id", "components", "accent_color", "spoiler"}),
}
IN_CONTAINER: Final = frozenset({ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR})
V2_TOP: Final = IN_CONTAINER | {CONTAINER}
_OPTION_KEYS = frozenset({"label", "value", "description", "default", "emoji"})
_MEDIA_KEYS = frozenset(
    ["url", "proxy_url", "width", "height", "content_type", "attachment_id", "id", "flags", "placeholder"]
)


def walk(components: object, path: Path = ()) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yields every component of a tree with its path, in reading order. Skips values that are no components."""
    for n, item in enumerate(components if isinstance(components, list) else ()):
        if isinstance(item, dict):
            yield (*path, n), item
            yield from walk(item.get("components"), (*path, n, "components"))
            for key in ("accessory", "component"):
                if isinstance(item.get(key), dict):
                    for (_, *rest), found in walk([item[key]]):
                        yield (*path, n, key, *rest), found


def check_emoji(check: Checker, of: Json, path: Path) -> None:
    """Checks the emoji of a button or an option: a custom one by its id, or one of Unicode."""
    if of.get("emoji") is None:
        return
    at = (*path, "emoji")
    emoji = check.fields(of["emoji"], at, ("id", "name", "animated"))
    if emoji is None or "id" in emoji:
        return
    if not is_emoji(check.text(emoji, "name", at, 1, 32)):
        check.add((*at, "name"), "BUTTON_COMPONENT_INVALID_EMOJI", f"Invalid emoji {emoji.get('name')!r}")


@dataclass
class ComponentCheck:
    """Checks the components of one message. `files` are the names that `attachment://` may refer to."""

    check: Checker
    files: frozenset[str]
    v2: bool
    shown: set[str] = field(default_factory=set)
    total: int = 0
    letters: int = 0

    def message(self, of: Json) -> None:
        items = self.check.array(of, "components", (), 0, 40 if self.v2 else 5)
        allowed = V2_TOP if self.v2 else frozenset({ROW})
        for n, item in enumerate(items):
            self.component(item, ("components", n), allowed)
        ids = [(path, c) for path, c in walk(items, ("components",))]
        named = [((*p, "custom_id"), c["custom_id"]) for p, c in ids if isinstance(c.get("custom_id"), str)]
        self.check.unique(named, "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id")
        numbered = [((*p, "id"), c["id"]) for p, c in ids if c.get("id")]
        self.check.unique(numbered, "COMPONENT_ID_DUPLICATED", "Component id")
        if self.v2 and self.total > 40:
            self.check.add(("components",), "BASE_TYPE_BAD_LENGTH", f"At most 40 components; there are {self.total}.")
        if self.v2 and self.letters > 4000:
            message = f"The text of all components is at most 4000 characters; it is {self.letters}."
            self.check.add(("components",), "BASE_TYPE_MAX_LENGTH", message)

    def component(self, item: object, path: Path, allowed: frozenset[int]) -> None:
        kind = item.get("type") if isinstance(item, dict) else None
        if not isinstance(kind, int) or kind not in allowed:
            message = f"A component of type {kind!r} cannot stand here; allowed are {sorted(allowed)}."
            self.check.add((*path, "type"), "UNION_TYPE_CHOICES", message)
            return
        self.total += 1
        component = self.check.fields(item, path, KEYS[kind])
        if component is None:
            return
        if kind in SELECTS:
            check_select(self.check, component, path)
            return
        {
            ROW: self.row,
            BUTTON: self.button,
            SECTION: self.section,
            TEXT: self.text,
            THUMBNAIL: self.media,
            GALLERY: self.gallery,
            FILE: self.file,
            SEPARATOR: self.separator,
            CONTAINER: self.container,
        }[kind](component, path)

    def row(self, row: Json, path: Path) -> None:
        items = self.check.array(row, "components", path, 1, 5)
        for n, item in enumerate(items):
            self.component(item, (*path, "components", n), SELECTS | {BUTTON})
        if len(items) > 1 and any(isinstance(i, dict) and i.get("type") in SELECTS for i in items):
            self.check.add((*path, "components"), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A menu fills its row alone.")

    def button(self, button: Json, path: Path) -> None:
        style = self.check.one_of(button, "style", path, range(1, 7))
        self.check.text(button, "label", path, 0, 80, required=False)
        check_emoji(self.check, button, path)
        target = {LINK: "url", PREMIUM: "sku_id"}.get(style, "custom_id")
        for key in ("custom_id", "url", "sku_id"):
            if key != target and key in button:
                self.check.add((*path, key), "BUTTON_COMPONENT_FIELD", f"A button of style {style} has no {key}.")
        if target == "url":
            url = self.check.text(button, "url", path, 1, 512)
            if not url.startswith(("http://", "https://", "discord://")):
                self.check.add((*path, "url"), "URL_TYPE_INVALID_SCHEME", "Scheme must be http, https or discord.")
        elif target == "custom_id":
            self.check.text(button, "custom_id", path, 1, 100)
        if style != PREMIUM and not button.get("label") and "emoji" not in button:
            self.check.add(path, "BUTTON_COMPONENT_EMPTY", "A button needs a label or an emoji.")

    def section(self, section: Json, path: Path) -> None:
        for n, item in enumerate(self.check.array(section, "components", path, 1, 3)):
            self.component(item, (*path, "components", n), frozenset({TEXT}))
        self.component(section.get("accessory"), (*path, "accessory"), frozenset({BUTTON, THUMBNAIL}))

    def text(self, text: Json, path: Path) -> None:
        self.letters += len(self.check.text(text, "content", path, 1, 4000))

    def media(self, item: Json, path: Path, key: str = "media") -> None:
        self.check.text(item, "description", path, 1, 1024, required=False)
        media = self.check.fields(item.get(key), (*path, key), _MEDIA_KEYS)
        if media is not None:
            self.url(media, (*path, key), local=key == "file")

    def url(self, media: Json, path: Path, *, local: bool) -> None:
        url = self.check.text(media, "url", path, 1, 2048)
        scheme, _, name = url.partition("://")
        if scheme == "attachment":
            self.shown.add(name)
            if name not in self.files:
                message = f"No file of this message is called {name!r}."
                self.check.add((*path, "url"), "MEDIA_ATTACHMENT_NOT_FOUND", message)
        elif local or scheme not in {"http", "https"}:
            self.check.add((*path, "url"), "URL_TYPE_INVALID_SCHEME", f"Scheme {scheme!r} is not possible here.")

    def gallery(self, gallery: Json, path: Path) -> None:
        for n, item in enumerate(self.check.array(gallery, "items", path, 1, 10)):
            at = (*path, "items", n)
            found = self.check.fields(item, at, ("media", "description", "spoiler"))
            if found is not None:
                self.media(found, at)

    def file(self, file: Json, path: Path) -> None:
        self.media(file, path, "file")

    def separator(self, separator: Json, path: Path) -> None:
        self.check.integer(separator, "spacing", path, 1, 2, 1)

    def container(self, container: Json, path: Path) -> None:
        self.check.integer(container, "accent_color", path, 0, 0xFFFFFF, 0)
        for n, item in enumerate(self.check.array(container, "components", path, 1, 40)):
            self.component(item, (*path, "components", n), IN_CONTAINER)


def check_select(check: Checker, select: Json, path: Path) -> None:
    """Checks a menu of any kind. A string menu needs 1 to 25 options with values of their own."""
    check.text(select, "custom_id", path, 1, 100)
    check.text(select, "placeholder", path, 0, 150, required=False)
    low = check.integer(select, "min_values", path, 0, 25, 1)
    high = check.integer(select, "max_values", path, 1, 25, 1)
    if low > high:
        check.add((*path, "min_values"), "SELECT_COMPONENT_RANGE", "min_values is greater than max_values.")
    if select["type"] != STRING_SELECT:
        return
    options = check.array(select, "options", path, 1, 25)
    values, chosen = [], 0
    for n, item in enumerate(options):
        at = (*path, "options", n)
        option = check.fields(item, at, _OPTION_KEYS)
        if option is None:
            continue
        check.text(option, "label", at, 1, 100)
        values.append(((*at, "value"), check.text(option, "value", at, 1, 100)))
        check.text(option, "description", at, 0, 100, required=False)
        check_emoji(check, option, at)
        chosen += bool(option.get("default"))
    check.unique(values, "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The option value")
    if high > len(options):
        check.add((*path, "max_values"), "SELECT_COMPONENT_MAX_VALUES", "max_values exceeds the number of options.")
    if chosen > high:
        check.add((*path, "options"), "SELECT_COMPONENT_DEFAULTS", "More options are chosen than max_values.")
