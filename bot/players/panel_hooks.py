"""Hooks by which higher features extend the settings panels: read, show and check values, and add notes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.core.translations import Language

Key: TypeAlias = tuple[str, str]
"""A preference's scope and key."""


@dataclass(frozen=True, slots=True)
class PanelHooks:
    """``bot/app.py`` registers the hooks at start."""

    readers: dict[Key, Callable[[str], str]] = field(default_factory=dict)
    """Convert typed text into the preference's value. Raise RuleError."""
    sayers: dict[Key, Callable[[str, Language], str]] = field(default_factory=dict)
    """Show a value in words."""
    checks: list[Callable[[str, str, Mapping[str, str]], None]] = field(default_factory=list)
    """Called with the scope, the key and all values after the change. Raise Refused if the values contradict each
    other.
    """
    notes: list[Callable[[str, str, Mapping[str, str], int, Language], list[str]]] = field(default_factory=list)
    """Called with the scope, the page, the values, the time in ms since 1970, and the language. Return lines for the
    panel.
    """
