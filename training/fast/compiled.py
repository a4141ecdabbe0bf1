"""Compiles the product's own functions, so that training runs the same code as the players."""

import inspect
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

from numba import njit


def jit(function: Any) -> Any:
    """Compiles the function. Nothing is cached on disk: compiling takes some seconds for hours of training."""
    return njit(fastmath=True, nogil=True, error_model="numpy")(function)


def compiled(name: str) -> ModuleType:
    """Copies a module and compiles its functions, also those that it imports from ``engine``."""
    spec = find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    for each, value in list(vars(module).items()):
        if inspect.isfunction(value):
            setattr(module, each, jit(value))
    return module
