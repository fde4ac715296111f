"""How the fit's loops are compiled.

Every loop writes only its own model's or benchmark's entries, so splitting the range over threads changes
no bit of the result. They release the interpreter's lock and know nothing of threads themselves (see
`balance_of_benchmarks.equating.parallel`), so numba's threading layers, none of which is safe under both
threads and forks, are never started.

numba keeps what it compiled until the file a loop stands in changes, whatever other files do: a loop and
what it calls stand in one file, and whoever changes this one removes the kept loops (`make clean`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

from numba import njit

__all__ = ["compiled", "vectorised"]

F = TypeVar("F", bound=Callable[..., Any])

# Sums may be taken in another order, which vector instructions need; no NaN or infinity reaches these loops.
_VECTORISED: Final = {"reassoc", "contract", "nnan", "ninf", "nsz", "arcp"}


def compiled(function: F) -> F:
    """Compile a loop as it is written."""
    return _compile(function, fastmath=False)


def vectorised(function: F) -> F:
    """Compile a loop to vector instructions; NaN and infinity must not come in."""
    return _compile(function, fastmath=_VECTORISED)


def _compile(function: F, fastmath: bool | set[str]) -> F:
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": fastmath}
    try:
        return cast("F", njit(cache=True, **options)(function))
    except RuntimeError:
        # Neither the package's folder nor the user's cache can be written: compiled anew in each process.
        return cast("F", njit(**options)(function))
