"""Compiling the fit's loops ahead: ``python -m balance_of_benchmarks.equating.warm``.

Compiled code is kept beside the package, or in the user's cache folder where that cannot be written, so it
happens once an installation.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import event

from balance_of_benchmarks.equating.fit import fit_scores
from balance_of_benchmarks.equating.model_loops import fit_abilities

__all__ = ["compile_kernels", "kernels_are_compiled", "kernels_are_kept"]


class _NotCompiledError(Exception):
    """numba was about to compile."""


class _Refusal(event.Listener):
    """Stops numba where it begins to compile a loop that it did not find on disk."""

    def on_start(self, compilation: Any) -> None:
        raise _NotCompiledError(compilation.data["dispatcher"])

    def on_end(self, compilation: Any) -> None:
        """Do nothing: nothing was begun."""


def kernels_are_compiled() -> bool:
    """Tell whether a first fit need not compile: numba has every loop for these types, this processor and Python.

    It is asked by running the loops, which a fit that follows then finds loaded.
    """
    refusal = _Refusal()
    event.register("numba:compile", refusal)  # type: ignore[no-untyped-call]
    try:
        compile_kernels()
    except _NotCompiledError:
        return False
    finally:
        event.unregister("numba:compile", refusal)  # type: ignore[no-untyped-call]
    return True


def kernels_are_kept() -> bool:
    """Tell whether there is a folder to keep compiled loops in."""
    return bool(fit_abilities.stats.cache_path)  # type: ignore[attr-defined]


def compile_kernels() -> None:
    """Run every loop once on a small board, which compiles and keeps it."""
    rng = np.random.default_rng(0)
    scores = rng.random((12, 4))
    scores[0, 0] = np.nan
    fit = fit_scores(scores)
    _ = fit.status, fit.standard_error


if __name__ == "__main__":
    compile_kernels()
