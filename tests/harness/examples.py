"""Sets how many examples Hypothesis tries for a law."""

from __future__ import annotations

from typing import Final

from hypothesis import settings

USUAL: Final = 100
"""Hypothesis's own number of examples, which the profile `check` keeps."""


def examples(count: int) -> settings:
    """So many examples; in the profile `wide`, more by as much as it has more than usual."""
    return settings(max_examples=count * settings().max_examples // USUAL)
