"""The bundled demo board: a simulated twin of the paper's snapshot, with its truth.

Nothing in it is real but the fourteen benchmarks' names and texts: models, makers, prices and scores are made
up. Coverage, curves and residual scales are those of the paper's tables. Residuals are heavy-tailed and shared
between related benchmarks, so that a task has something to find.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

import numpy as np
import polars as pl

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.board.settings import BoardSettings
from balance_of_benchmarks.sources.known import KNOWN_BENCHMARKS, describe_benchmark
from balance_of_benchmarks.types import BoolArray, FloatArray, freeze

__all__ = ["DemoBoard", "DemoTruth", "make_demo_board"]

_MODELS: Final = 605
_LEAST_OBSERVED: Final = 5
_DEMO_SEED: Final = 20260903
_FIRST_DAY: Final = date(2024, 1, 15)
_DAYS: Final = 960
# Of the variance of a residual, the part that all benchmarks of a category share; the rest is the benchmark's own.
_SHARED: Final = 0.5
_TAIL: Final = 5  # degrees of freedom of Student's t: one residual in a hundred beyond four SDs


@dataclass(frozen=True, slots=True)
class _Column:
    """How the paper's tables describe a benchmark: models observed, a, b, σ; and when it was in use.

    `era` is the middle of that time, from 0, the oldest model, to 1, the newest; nearly complete columns ignore it.
    """

    observed: int
    discrimination: float
    difficulty: float
    residual_scale: float
    era: float


_COLUMNS: Final[dict[str, _Column]] = {
    "aime": _Column(192, 1.85, -0.46, 0.097, 0.15),
    "aime_25": _Column(269, 1.35, -0.33, 0.126, 0.40),
    "gpqa": _Column(604, 0.60, -0.83, 0.063, 0.5),
    "hle": _Column(602, 0.84, 1.67, 0.041, 0.5),
    "ifbench": _Column(449, 0.45, 0.10, 0.093, 0.60),
    "lcr": _Column(535, 0.86, 0.40, 0.115, 0.65),
    "livecodebench": _Column(343, 0.94, -0.33, 0.076, 0.25),
    "math_500": _Column(191, 1.26, -1.58, 0.062, 0.15),
    "mmlu_pro": _Column(345, 0.60, -1.50, 0.057, 0.25),
    "scicode": _Column(602, 0.37, 1.28, 0.066, 0.5),
    "tau2": _Column(439, 1.13, 0.00, 0.154, 0.60),
    "tau_banking": _Column(203, 1.02, 1.78, 0.054, 0.90),
    "terminalbench_hard": _Column(432, 0.88, 1.28, 0.065, 0.60),
    "terminalbench_v2_1": _Column(235, 1.41, 0.82, 0.076, 0.90),
}

_MAKERS: Final = (
    "Brackenmoor", "Cindervale", "Dunlinworks", "Elmharrow", "Fernwick", "Gannetfield", "Halvorsund", "Isingholt",
    "Juniper Reach", "Kittlewake", "Lumenholt", "Marlhaven", "Nettlestead", "Osmerby", "Pellwater", "Quillmarsh",
)  # fmt: skip
_FAMILIES: Final = ("Avocet", "Bunting", "Curlew", "Dipper", "Egret", "Fulmar", "Godwit", "Heron")
_SIZES: Final = ("Mini", "Small", "Medium", "Large", "Max")
_EFFORTS: Final = ("", " (low)", " (medium)", " (high)")


@dataclass(frozen=True, slots=True, eq=False)
class DemoTruth:
    """What the simulation started from; rows and columns as in the board's tables.

    Parameters
    ----------
    ability : ndarray of shape (605,)
        Mean 0, variance 1.
    discrimination, difficulty, residual_scale : ndarray of shape (14,)
    residual : ndarray of shape (605, 14)
        What was added to each expected score, in units of `residual_scale`, unobserved cells included.
    """

    ability: FloatArray
    discrimination: FloatArray
    difficulty: FloatArray
    residual_scale: FloatArray
    residual: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class DemoBoard:
    """A simulated board and its truth."""

    board: Board
    truth: DemoTruth


def make_demo_board(seed: int = _DEMO_SEED) -> DemoBoard:
    """Simulate a board like the paper's snapshot.

    Parameters
    ----------
    seed : int
        The default is the board that ``read_board("demo")`` gives; others test recovery.

    Returns
    -------
    DemoBoard
    """
    rng = np.random.default_rng(seed)
    columns = list(_COLUMNS.values())
    models, ability = _make_models(rng)
    residual = _draw_residuals(rng)
    a = np.array([column.discrimination for column in columns])
    b = np.array([column.difficulty for column in columns])
    sigma = np.array([column.residual_scale for column in columns])
    n_items = np.array([KNOWN_BENCHMARKS[key].n_items for key in _COLUMNS])

    expected = _characteristic_curve(a * (ability[:, None] - b))
    scores = np.round(np.clip(expected + sigma * residual, 0.0, 1.0) * n_items) / n_items
    observed = _draw_coverage(rng, columns)
    rows, places = np.nonzero(observed)
    keys = np.array(list(_COLUMNS))
    cells = pl.DataFrame(
        {"model": models["key"].to_numpy()[rows], "benchmark": keys[places], "score": scores[rows, places]}
    ).with_columns(source=pl.lit("simulated"))
    board = Board(
        cells=cells,
        models=models,
        benchmarks=pl.DataFrame([describe_benchmark(key) for key in _COLUMNS]),
        settings=BoardSettings(name="demo (simulated)", simulated=True, source="demo"),
    )
    freeze(ability, a, b, sigma, residual)
    return DemoBoard(board, DemoTruth(ability, a, b, sigma, residual))


def _characteristic_curve(x: FloatArray) -> FloatArray:
    """Normal distribution function by Simpson's rule: on purpose not the fit's own code."""
    nodes, steps = np.linspace(0.0, 1.0, 81), 80
    weights = np.where(np.arange(steps + 1) % 2 == 0, 2.0, 4.0)
    weights[[0, -1]] = 1.0
    density = np.exp(-0.5 * (x[..., None] * nodes) ** 2) / np.sqrt(2.0 * np.pi)
    curve: FloatArray = 0.5 + x * (density @ weights) / (3.0 * steps)
    return curve


def _make_models(rng: np.random.Generator) -> tuple[pl.DataFrame, FloatArray]:
    """Made-up models, oldest first, and their true abilities: later, larger and better funded is stronger."""
    age = np.sort(rng.uniform(0.0, 1.0, _MODELS))
    maker = rng.choice(len(_MAKERS), _MODELS, p=_falling(len(_MAKERS)))
    funding = rng.normal(0.0, 0.35, len(_MAKERS))
    size = rng.choice(len(_SIZES), _MODELS)
    effort = rng.choice(len(_EFFORTS), _MODELS, p=[0.55, 0.15, 0.15, 0.15])
    raw = 2.2 * age + 0.35 * size + 0.25 * effort + funding[maker] + rng.normal(0.0, 0.45, _MODELS)
    ability: FloatArray = (raw - raw.mean()) / raw.std()

    price = np.round(0.05 * np.exp(0.75 * size + 0.25 * ability + rng.normal(0.0, 0.35, _MODELS)), 3)
    speed = np.round(240.0 * np.exp(-0.35 * size + rng.normal(0.0, 0.3, _MODELS)), 1)
    generation = 1 + np.floor(age * 5.0).astype(int)
    family = (maker + generation) % len(_FAMILIES)
    rows: list[dict[str, Any]] = []
    taken: dict[str, int] = {}
    for m in range(_MODELS):
        name = f"{_MAKERS[maker[m]]} {_FAMILIES[family[m]]} {generation[m]} {_SIZES[size[m]]}"
        edition = taken[name] = taken.get(name, 0) + 1
        name += f" r{edition}" if edition > 1 else ""
        name += _EFFORTS[effort[m]]
        rows.append(
            {
                "key": name.lower().replace("(", "").replace(")", "").replace(" ", "-"),
                "name": name,
                "creator": _MAKERS[maker[m]],
                "release_date": _FIRST_DAY + timedelta(days=int(age[m] * _DAYS)),
                "price_input": float(price[m]),
                "price_output": round(4.0 * float(price[m]), 3),
                "price_blended": round(1.75 * float(price[m]), 3),
                "output_tokens_per_second": float(speed[m]),
                "seconds_to_first_token": round(float(rng.gamma(2.0, 0.4)), 3),
                "open_weights": bool(rng.random() < 0.45 - 0.08 * size[m]),
            }
        )
    return pl.DataFrame(rows), ability


def _falling(n: int) -> FloatArray:
    """Shares of `n` makers: a few list many models, many list a few."""
    shares: FloatArray = 1.0 / np.arange(2.0, n + 2.0)
    normalized: FloatArray = shares / shares.sum()
    return normalized


def _draw_residuals(rng: np.random.Generator) -> FloatArray:
    """Student's t residuals of variance one, correlated within a category."""
    shared = _draw_by_label(rng, [KNOWN_BENCHMARKS[key].category for key in _COLUMNS])
    own = _draw_by_label(rng, list(_COLUMNS))
    residual: FloatArray = np.sqrt(_SHARED) * shared + np.sqrt(1.0 - _SHARED) * own
    return residual


def _draw_by_label(rng: np.random.Generator, labels: list[str]) -> FloatArray:
    """One standardized heavy-tailed draw for each model and label, laid out by column."""
    distinct = sorted(set(labels))
    drawn: FloatArray = rng.standard_t(_TAIL, (_MODELS, len(distinct))) / np.sqrt(_TAIL / (_TAIL - 2.0))
    return drawn[:, [distinct.index(label) for label in labels]]


def _draw_coverage(rng: np.random.Generator, columns: list[_Column]) -> BoolArray:
    """Which model is scored on what: as many a column as in the paper, by era, at least five a model."""
    age = np.linspace(0.0, 1.0, _MODELS)
    observed = np.zeros((_MODELS, len(columns)), dtype=bool)
    for i, column in enumerate(columns):
        strangeness = np.abs(age - column.era) + rng.normal(0.0, 0.12, _MODELS)
        observed[np.argsort(strangeness)[: column.observed], i] = True
    # A model with too few takes a score over from the best covered model that has it; columns keep their counts.
    for m in range(_MODELS):
        while observed[m].sum() < _LEAST_OBSERVED:
            i = int(rng.choice(np.flatnonzero(~observed[m])))
            giver = int(np.argmax(np.where(observed[:, i], observed.sum(axis=1), 0)))
            observed[giver, i], observed[m, i] = False, True
    return observed
