"""What a command needs beyond the base install."""

from __future__ import annotations

from importlib.util import find_spec

from balance_of_benchmarks.errors import BobError

__all__ = ["require_extra"]


def require_extra(command: str, extra: str, *modules: str) -> None:
    """Refuse a command whose modules are not installed, with what to install.

    Parameters
    ----------
    command : str
    extra : str
        Name of the extra that brings them.
    modules : str
        What is imported.
    """
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise BobError(
            f"{command} needs {', '.join(missing)}, which the base install leaves out: "
            f"pip install 'balance-of-benchmarks[{extra}]'"
        )
