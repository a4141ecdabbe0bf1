"""Selects the cases of a test that ``scripts/check`` runs; ``scripts/thorough`` runs them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


def one_of(names: str | tuple[str, ...], values: Collection[Any], **more: Any) -> Callable[[Any], pytest.MarkDecorator]:
    """Parametrizes as ``pytest.mark.parametrize``, but marks all values except one as thorough.

    The name of the test chooses that one, so that tests of a kind take different ones among them.
    """

    def parametrized(test: Any) -> Any:
        chosen = crc32(f"{test.__name__} {names}".encode()) % len(values)
        several = not isinstance(names, str)
        cases = [
            value if number == chosen else pytest.param(*(value if several else (value,)), marks=pytest.mark.thorough)
            for number, value in enumerate(values)
        ]
        return pytest.mark.parametrize(names, cases, **more)(test)

    return parametrized


def in_number(name: str, few: Any, many: Any) -> pytest.MarkDecorator:
    """Gives a test its size: a small one, and a large one that is thorough."""
    return pytest.mark.parametrize(name, [few, pytest.param(many, marks=pytest.mark.thorough)])
