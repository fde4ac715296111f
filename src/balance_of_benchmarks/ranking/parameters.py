"""scikit-learn's habits: a constructor that stores its arguments, and shows and changes them."""

from __future__ import annotations

import inspect
from typing import Any, Self

from balance_of_benchmarks.errors import ArrayError, name_unknown

__all__ = ["Parameters"]


class Parameters:
    """What an estimator is asked with: each argument of its constructor is an attribute of the same name."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 - scikit-learn's signature
        """Give the constructor's arguments; `sklearn.base.clone` works by it."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **params: Any) -> Self:
        """Change constructor arguments; the next `fit` uses them."""
        names = self._parameter_names()
        for name, value in params.items():
            if name not in names:
                raise ArrayError(name_unknown("the parameters", name, names))
            setattr(self, name, value)
        return self

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [f"{k}={v!r}" for k, v in self.get_params().items() if v is not defaults[k].default]
        return f"{type(self).__name__}({', '.join(changed)})"
