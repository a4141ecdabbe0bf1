"""What higher features add to the panels of settings: how they read, say and check values, and what follows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.core.translations import Language

Key: TypeAlias = tuple[str, str]
"""A preference's scope and key."""


@dataclass(frozen=True, slots=True)
class PanelHooks:
    """Registered when the app is put together."""

    readers: dict[Key, Callable[[str], str]] = field(default_factory=dict)
    """Reads what was typed for a preference. Raises RuleError."""
    sayers: dict[Key, Callable[[str, Language], str]] = field(default_factory=dict)
    """Says a value in words."""
    checks: list[Callable[[str, str, Mapping[str, str]], None]] = field(default_factory=list)
    """Called with scope, key and all values as they would be. Raises Refused where they do not go together."""
    notes: list[Callable[[str, str, Mapping[str, str], int, Language], list[str]]] = field(default_factory=list)
    """Called with scope, page, values and the time in ms since 1970: what follows from the values, a line each."""
