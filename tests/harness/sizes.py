"""Measures how many bytes a value takes in memory, with everything that only it holds."""

from __future__ import annotations

import gc
import sys
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Final

SHARED: Final = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType, Enum)
"""Kinds of objects that exist once for all their users, and so do not count."""


def deep_size(value: object, *besides: object) -> int:
    """Returns the size in bytes, without that of ``besides``."""
    seen, found, waiting = {id(one) for one in besides}, 0, [value]
    while waiting:
        one = waiting.pop()
        if id(one) not in seen and not isinstance(one, SHARED):
            seen.add(id(one))
            found += sys.getsizeof(one)
            waiting += gc.get_referents(one)
    return found
