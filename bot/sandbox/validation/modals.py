"""A modal, and the choices of an autocomplete."""

from typing import Any, Final

from bot.sandbox.errors import Problem
from bot.sandbox.validation.checker import Checker, Json, Path
from bot.sandbox.validation.components import FILE_UPLOAD, LABEL, ROW, SELECTS, TEXT, TEXT_INPUT, check_select, walk
from bot.sandbox.validation.locales import check_localizations

_INPUT_KEYS = frozenset(
    ["type", "id", "custom_id", "style", "label", "min_length", "max_length", "required", "value", "placeholder"]
)
_LABEL_KEYS = frozenset({"type", "id", "label", "description", "component"})
_TOGGLES: Final = frozenset({21, 22, 23})
"""Radio group, checkbox group and checkbox. They are known to exist; only their custom id is checked."""
INTEGER, NUMBER = 4, 10


def check_modal(payload: object) -> list[Problem]:
    """Returns everything that Discord would refuse in the data of a modal answer."""
    check = Checker()
    modal = check.fields(payload, (), ("custom_id", "title", "components"))
    if modal is None:
        return check.problems
    check.text(modal, "custom_id", (), 1, 100)
    check.text(modal, "title", (), 1, 45)
    items = check.array(modal, "components", (), 1, 5)
    for n, item in enumerate(items):
        _top(check, item, ("components", n))
    named = [
        ((*p, "custom_id"), c["custom_id"])
        for p, c in walk(items, ("components",))
        if isinstance(c.get("custom_id"), str)
    ]
    check.unique(named, "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id")
    return check.problems


def _top(check: Checker, item: object, path: Path) -> None:
    kind = item.get("type") if isinstance(item, dict) else None
    if kind == ROW and (row := check.fields(item, path, ("type", "id", "components"))) is not None:
        for n, entry in enumerate(check.array(row, "components", path, 1, 1)):
            _input(check, entry, (*path, "components", n), labelled=False)
    elif kind == LABEL and (label := check.fields(item, path, _LABEL_KEYS)) is not None:
        check.text(label, "label", path, 1, 45)
        check.text(label, "description", path, 1, 100, required=False)
        _labelled(check, label.get("component"), (*path, "component"))
    elif kind == TEXT and (text := check.fields(item, path, ("type", "id", "content"))) is not None:
        check.text(text, "content", path, 1, 4000)
    elif kind not in {ROW, LABEL, TEXT}:
        check.add((*path, "type"), "UNION_TYPE_CHOICES", f"A component of type {kind!r} cannot stand in a modal.")


def _labelled(check: Checker, item: object, path: Path) -> None:
    kind = item.get("type") if isinstance(item, dict) else None
    if kind == TEXT_INPUT:
        _input(check, item, path, labelled=True)
    elif kind in SELECTS and isinstance(item, dict):
        check_select(check, {k: v for k, v in item.items() if v is not None}, path)
        if item.get("disabled"):
            check.add((*path, "disabled"), "COMPONENT_DISABLED_IN_MODAL", "A menu in a modal cannot be disabled.")
    elif kind in _TOGGLES | {FILE_UPLOAD} and isinstance(item, dict):
        check.text(item, "custom_id", path, 1, 100)
    else:
        check.add((*path, "type"), "UNION_TYPE_CHOICES", f"A component of type {kind!r} cannot have a label.")


def _input(check: Checker, item: object, path: Path, *, labelled: bool) -> None:
    field = check.fields(item, path, _INPUT_KEYS)
    if field is None:
        return
    if field.get("type") != TEXT_INPUT:
        check.add((*path, "type"), "UNION_TYPE_CHOICES", "Only a text input can stand in a modal's row.")
    check.text(field, "custom_id", path, 1, 100)
    check.one_of(field, "style", path, (1, 2))
    check.text(field, "label", path, 1, 45, required=not labelled)
    if labelled and "label" in field:
        check.add((*path, "label"), "COMPONENT_LABEL_TWICE", "An input inside a label has no label of its own.")
    low = check.integer(field, "min_length", path, 0, 4000, 0)
    high = check.integer(field, "max_length", path, 1, 4000, 4000)
    if low > high:
        check.add((*path, "min_length"), "TEXT_INPUT_RANGE", "min_length is greater than max_length.")
    check.text(field, "value", path, 0 if not field.get("value") else low, high, required=False)
    check.text(field, "placeholder", path, 0, 100, required=False)


def check_choices(payload: object, kind: int = 3, key: str = "choices") -> list[Problem]:
    """Returns everything that Discord would refuse in an autocomplete's answer to an option of type `kind`."""
    check = Checker()
    data = check.fields(payload, (), (key,))
    if data is not None:
        for n, item in enumerate(check.array(data, key, (), 0, 25)):
            check_choice(check, item, (key, n), kind)
    return check.problems


def check_choice(check: Checker, item: object, path: Path, kind: int, *, longest: int = 100) -> Json | None:
    """Checks one choice of an option or an autocomplete. Its value must fit the option's type."""
    choice = check.fields(item, path, ("name", "value", "name_localizations"))
    if choice is None:
        return None
    check.text(choice, "name", path, 1, 100)
    check_localizations(check, choice, "name_localizations", path, 100)
    value: Any = choice.get("value")
    if kind in {INTEGER, NUMBER}:
        allowed = (int,) if kind == INTEGER else (int, float)
        if isinstance(value, bool) or not isinstance(value, allowed) or abs(value) > 1 << 53:
            check.add((*path, "value"), "NUMBER_TYPE_COERCE", f"{value!r} is no value of an option of type {kind}.")
    else:
        check.text(choice, "value", path, 0, longest)
    return choice
