"""Measures costs in calls of functions, whose number does not depend on how busy the machine is."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

KEYSTROKE: Final = 150_000
"""The most calls for one keystroke, those of functions in C included. They take some 20 ms of CPU."""


class Calls:
    """Counts the calls that this thread makes in the blocks of ``counting``."""

    def __init__(self) -> None:
        self.number = 0

    @contextmanager
    def counting(self) -> Iterator[None]:
        before = sys.getprofile()
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(before)

    def _note(self, _frame: FrameType, event: str, _: Any) -> None:
        self.number += event in {"call", "c_call"}
