"""What the estimator does where it is not told otherwise: the product's method, and the paper's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from balance_of_benchmarks.equating.settings import AbilityScale, FitSettings
from balance_of_benchmarks.errors import ArrayError
from balance_of_benchmarks.geometry.space import Weighting
from balance_of_benchmarks.ranking.field import FieldKind

__all__ = ["MOST_POINTS", "PRESETS", "Preset", "PresetName", "find_preset"]

PresetName = Literal["auto", "paper"]

MOST_POINTS: Final = 250
"""Kriging solves dense equations in them: of more benchmarks `auto` reads tasks by the kernel average."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Choices that go together.

    Parameters
    ----------
    weighting : {"inverse_density", "magnitude", "equal"}
    field : {"kernel", "kriging"}
    settings : FitSettings
    """

    weighting: Weighting
    field: FieldKind
    settings: FitSettings

    def settle(self, given: FitSettings | None, scale: AbilityScale | None) -> FitSettings:
        """Give the fit's constants: those given, else the preset's, with the ability scale asked for."""
        if not (given is None or isinstance(given, FitSettings)):
            raise ArrayError(f"settings is {given!r}: expected a FitSettings, or None for the preset's")
        settings = given or self.settings
        return settings if scale is None else replace(settings, ability_scale=scale)


PRESETS: Final[dict[PresetName, Preset]] = {
    # Thirty rounds: where blocks of benchmarks share few models, six are too few for abilities to stand still.
    "auto": Preset("magnitude", "kriging", FitSettings(ability_scale="halfway", rounds=30)),
    "paper": Preset("inverse_density", "kernel", FitSettings()),
}
"""By name; docs/generality.md says what earned `auto` its choices."""


def find_preset(name: object) -> Preset:
    """Give a preset by its name.

    Parameters
    ----------
    name : object
        Whatever the caller was given.

    Returns
    -------
    Preset
    """
    for known, preset in PRESETS.items():
        if name == known:
            return preset
    raise ArrayError(f"preset is {name!r}: expected one of {', '.join(get_args(PresetName))}")
