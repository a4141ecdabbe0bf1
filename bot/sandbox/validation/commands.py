"""Application commands as they are registered (documentation, "Application Commands")."""

import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from bot.sandbox.errors import Problem
from bot.sandbox.validation.checker import Checker, Json, Path
from bot.sandbox.validation.locales import check_localizations
from bot.sandbox.validation.modals import INTEGER, NUMBER, check_choice

CHAT_INPUT, USER, MESSAGE = 1, 2, 3
SUBCOMMAND, GROUP, STRING, BOOLEAN, USER_OPTION, CHANNEL, ROLE, MENTIONABLE, ATTACHMENT = 1, 2, 3, 5, 6, 7, 8, 9, 11
OPTION_TYPES: Final = frozenset({*range(1, 12)})
LIMITS: Final[Mapping[int, int]] = {CHAT_INPUT: 100, USER: 15, MESSAGE: 15}
CHARACTERS = 8000
"""The most characters of a command's names, descriptions and values, each in its longest translation."""

_KEYS = frozenset(
    [
        "id",
        "name",
        "name_localizations",
        "description",
        "description_localizations",
        "options",
        "default_member_permissions",
        "dm_permission",
        "contexts",
        "integration_types",
        "handler",
        "type",
        "nsfw",
    ]
)
_OPTION_KEYS = frozenset(
    [
        "type",
        "name",
        "name_localizations",
        "description",
        "description_localizations",
        "required",
        "choices",
        "options",
        "channel_types",
        "min_value",
        "max_value",
        "min_length",
        "max_length",
        "autocomplete",
    ]
)


def check_commands(payload: object) -> list[Problem]:
    """Returns everything that Discord would refuse in a bulk registration."""
    check = Checker()
    if not isinstance(payload, list):
        check.add((), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
        return check.problems
    counts = dict.fromkeys(LIMITS, 0)
    names = []
    for n, item in enumerate(payload):
        check.problems += [Problem((n, *p.path), p.code, p.message) for p in check_command(item)]
        kind = (item.get("type") or CHAT_INPUT) if isinstance(item, dict) else CHAT_INPUT
        if isinstance(item, dict) and kind in counts:
            counts[kind] += 1
            names.append(((n, "name"), (kind, item.get("name"))))
    check.unique(names, "APPLICATION_COMMANDS_DUPLICATE_NAME", "Command (type, name)")
    for kind, count in counts.items():
        if count > LIMITS[kind]:
            text = f"At most {LIMITS[kind]} commands of type {kind}; there are {count}."
            check.add((), "APPLICATION_COMMANDS_LIMIT", text)
    return check.problems


def check_command(payload: object) -> list[Problem]:
    """Returns everything that Discord would refuse in one command."""
    check = Checker()
    command = check.fields(payload, (), _KEYS)
    if command is None:
        return check.problems
    kind = command.get("type", CHAT_INPUT)
    if kind not in LIMITS:
        check.add(("type",), "BASE_TYPE_CHOICES", f"Value must be one of {sorted(LIMITS)}.")
    _names(check, command, (), free=kind != CHAT_INPUT)
    if kind == CHAT_INPUT:
        _descriptions(check, command, ())
        _options(check, command, (), 0)
        if (size := characters(command)) > CHARACTERS:
            text = f"A command has at most {CHARACTERS} characters; it has {size}."
            check.add((), "APPLICATION_COMMAND_TOO_LARGE", text)
    else:
        for key in ("description", "options"):
            if command.get(key):
                check.add((key,), "APPLICATION_COMMAND_CONTEXT_MENU_FIELD", f"A context menu command has no {key}.")
    for key, allowed in (("contexts", (0, 1, 2)), ("integration_types", (0, 1))):
        values = check.array(command, key, (), 1 if key in command else 0, 3)
        for n, value in enumerate(values):
            if value not in allowed:
                check.add((key, n), "BASE_TYPE_CHOICES", f"Value must be one of {allowed}.")
        check.unique([((key, n), v) for n, v in enumerate(values)], "SET_TYPE_ALREADY_CONTAINS_VALUE", "Value")
    return check.problems


def is_name(text: str) -> bool:
    """Returns whether `text` may name a slash command or an option: letters, figures, "-", "_" and "'", in lower
    case.
    """
    return 1 <= len(text) <= 32 and text == text.lower() and all(_letter(c) for c in text)


def _letter(char: str) -> bool:
    if char in "-_'" or unicodedata.category(char)[0] in "LN":
        return True
    return unicodedata.name(char, "").startswith(("DEVANAGARI", "THAI"))


def _names(check: Checker, of: Json, path: Path, *, free: bool = False) -> None:
    names = {(*path, "name"): check.text(of, "name", path, 1, 32)}
    translated = check_localizations(check, of, "name_localizations", path, 32)
    names |= {(*path, "name_localizations", locale): name for locale, name in translated.items()}
    for at, name in names.items():
        if name and not (free or is_name(name)):
            check.add(at, "APPLICATION_COMMAND_INVALID_NAME", f"Command name is invalid: {name!r}")


def _descriptions(check: Checker, of: Json, path: Path) -> None:
    check.text(of, "description", path, 1, 100)
    check_localizations(check, of, "description_localizations", path, 100)


def _options(check: Checker, of: Json, path: Path, depth: int) -> None:
    """Checks the options of a command (`depth` 0), a group (1) or a subcommand (2)."""
    items = check.array(of, "options", path, 0, 25)
    optional = False
    kinds: set[bool] = set()
    for n, item in enumerate(items):
        at = (*path, "options", n)
        option = check.fields(item, at, _OPTION_KEYS)
        if option is None:
            continue
        kind = check.one_of(option, "type", at, OPTION_TYPES)
        nested = kind in {SUBCOMMAND, GROUP}
        kinds.add(nested)
        if (nested and depth == 2) or (kind == GROUP and depth == 1) or (depth == 1 and not nested):
            text = f"An option of type {kind} cannot stand at this depth."
            check.add((*at, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)
        _names(check, option, at)
        _descriptions(check, option, at)
        if nested:
            _options(check, option, at, 1 if kind == GROUP else 2)
            continue
        if option.get("required"):
            if optional:
                text = "Required options must be placed before non-required options"
                check.add(at, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", text)
        else:
            optional = True
        _value(check, option, at, kind)
    if len(kinds) == 2:
        text = "Subcommands and other options cannot stand side by side."
        check.add((*path, "options"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)
    _unique_names(check, [i for i in items if isinstance(i, dict)], (*path, "options"))


def _unique_names(check: Checker, items: list[dict[str, Any]], path: Path) -> None:
    """Checks that no two siblings have the same name in any language."""
    locales = {locale for item in items for locale in item.get("name_localizations") or {}}
    for locale in ("", *sorted(locales)):
        names = [
            ((*path, n, "name"), (item.get("name_localizations") or {}).get(locale, item.get("name")))
            for n, item in enumerate(items)
        ]
        before = len(check.problems)
        check.unique(names, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", f"Option name {locale}".strip())
        if not locale and len(check.problems) > before:
            return


def _value(check: Checker, option: Json, path: Path, kind: int) -> None:
    numeric = kind in {INTEGER, NUMBER}
    if option.get("autocomplete") and (option.get("choices") or not (numeric or kind == STRING)):
        text = "Autocomplete is for text and number options without choices."
        check.add((*path, "autocomplete"), "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID", text)
    choices = check.array(option, "choices", path, 0, 25)
    if choices and not (numeric or kind == STRING):
        check.add((*path, "choices"), "APPLICATION_COMMAND_OPTIONS_CHOICES", f"Type {kind} has no choices.")
    found = []
    for n, item in enumerate(choices):
        choice = check_choice(check, item, (*path, "choices", n), kind)
        if choice is not None:
            found.append(((*path, "choices", n, "name"), choice.get("name")))
    check.unique(found, "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS", "Choice name")
    low, high = option.get("min_value"), option.get("max_value")
    if (low is not None or high is not None) and not numeric:
        check.add(path, "APPLICATION_COMMAND_OPTIONS_RANGE", f"Type {kind} has no smallest or greatest value.")
    elif numeric and low is not None and high is not None and low > high:
        check.add((*path, "min_value"), "APPLICATION_COMMAND_OPTIONS_RANGE", "min_value is greater than max_value.")
    shortest = check.integer(option, "min_length", path, 0, 6000, 0)
    longest = check.integer(option, "max_length", path, 1, 6000, 6000)
    if shortest > longest:
        check.add((*path, "min_length"), "APPLICATION_COMMAND_OPTIONS_RANGE", "min_length exceeds max_length.")


def characters(of: Json) -> int:
    """Returns the size that Discord limits to 8,000: each text in its longest translation, and the values
    of choices.
    """
    total = 0
    for key in ("name", "description"):
        texts = [of.get(key) or "", *(of.get(f"{key}_localizations") or {}).values()]
        total += max(len(str(t)) for t in texts)
    if "value" in of:
        total += len(str(of["value"]))
    return total + sum(characters(i) for k in ("options", "choices") for i in of.get(k) or () if isinstance(i, dict))
