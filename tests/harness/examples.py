"""Sets how many examples Hypothesis tries for a law."""

from __future__ import annotations

from typing import Final

from hypothesis import settings

USUAL: Final = 100
"""Hypothesis's own number of examples, which the profile `check` keeps."""


def examples(count: int) -> settings:
    """Sets so many examples; in the profile `wide`, more, in proportion to the usual number."""
    return settings(max_examples=count * settings().max_examples // USUAL)
