"""Balanced, task-conditioned rankings from tables of benchmark scores.

Each name is imported from its room when it is first used, so that the command's help, say, does not wait for
compiled code.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from balance_of_benchmarks.board.board import Board as Board
    from balance_of_benchmarks.board.checks.check import BoardCheck as BoardCheck
    from balance_of_benchmarks.board.checks.check import check_board as check_board
    from balance_of_benchmarks.board.checks.finding import Finding as Finding
    from balance_of_benchmarks.board.folder import write_folder as write_folder
    from balance_of_benchmarks.board.retain import RankableBoard as RankableBoard
    from balance_of_benchmarks.board.settings import Adjustment as Adjustment
    from balance_of_benchmarks.board.settings import BoardSettings as BoardSettings
    from balance_of_benchmarks.equating.bootstrap import bootstrap_abilities as bootstrap_abilities
    from balance_of_benchmarks.equating.cells import ObservedCells as ObservedCells
    from balance_of_benchmarks.equating.fit import fit_cells as fit_cells
    from balance_of_benchmarks.equating.fit import fit_scores as fit_scores
    from balance_of_benchmarks.equating.result import Fit as Fit
    from balance_of_benchmarks.equating.settings import FitSettings as FitSettings
    from balance_of_benchmarks.errors import ArrayError as ArrayError
    from balance_of_benchmarks.errors import BoardError as BoardError
    from balance_of_benchmarks.errors import BobError as BobError
    from balance_of_benchmarks.errors import ChatError as ChatError
    from balance_of_benchmarks.errors import EncoderError as EncoderError
    from balance_of_benchmarks.errors import RankingError as RankingError
    from balance_of_benchmarks.errors import TaskError as TaskError
    from balance_of_benchmarks.evaluation.evaluate import Evaluation as Evaluation
    from balance_of_benchmarks.evaluation.evaluate import evaluate_board as evaluate_board
    from balance_of_benchmarks.geometry.angles import angular_distances as angular_distances
    from balance_of_benchmarks.geometry.density import effective_mass as effective_mass
    from balance_of_benchmarks.geometry.density import inverse_density_weights as inverse_density_weights
    from balance_of_benchmarks.geometry.density import marginal_mass as marginal_mass
    from balance_of_benchmarks.geometry.magnitude import magnitude_weights as magnitude_weights
    from balance_of_benchmarks.geometry.space import Space as Space
    from balance_of_benchmarks.geometry.space import measure_space as measure_space
    from balance_of_benchmarks.geometry.wording import DescriptionCheck as DescriptionCheck
    from balance_of_benchmarks.geometry.wording import lint_descriptions as lint_descriptions
    from balance_of_benchmarks.ranking.abstention import calibrate_abstention as calibrate_abstention
    from balance_of_benchmarks.ranking.estimator import BalanceOfBenchmarks as BalanceOfBenchmarks
    from balance_of_benchmarks.ranking.field import residual_field as residual_field
    from balance_of_benchmarks.ranking.kriging import kriging_field as kriging_field
    from balance_of_benchmarks.ranking.relevance import continuous_relevance as continuous_relevance
    from balance_of_benchmarks.ranking.task import TaskPart as TaskPart
    from balance_of_benchmarks.ranking.task import TaskRanking as TaskRanking
    from balance_of_benchmarks.sources.demo import make_demo_board as make_demo_board
    from balance_of_benchmarks.sources.read import read_board as read_board
    from balance_of_benchmarks.text.chat import ChatModel as ChatModel
    from balance_of_benchmarks.text.describing import freeze_texts as freeze_texts
    from balance_of_benchmarks.text.describing import plan_texts as plan_texts
    from balance_of_benchmarks.text.describing import write_texts as write_texts
    from balance_of_benchmarks.text.embed import embed as embed
    from balance_of_benchmarks.text.lineage import strip_lineage as strip_lineage
    from balance_of_benchmarks.text.registry import find_encoder as find_encoder
    from balance_of_benchmarks.text.tasks import TaskForm as TaskForm
    from balance_of_benchmarks.text.tasks import read_forms as read_forms
    from balance_of_benchmarks.text.tasks import read_prompts as read_prompts
    from balance_of_benchmarks.text.tasks import weigh_tasks as weigh_tasks

__version__ = "0.1.0"

_ROOMS: Final[dict[str, str]] = {
    "Adjustment": "board.settings",
    "ArrayError": "errors",
    "BalanceOfBenchmarks": "ranking.estimator",
    "Board": "board.board",
    "BoardCheck": "board.checks.check",
    "BoardError": "errors",
    "BoardSettings": "board.settings",
    "BobError": "errors",
    "ChatError": "errors",
    "ChatModel": "text.chat",
    "DescriptionCheck": "geometry.wording",
    "EncoderError": "errors",
    "Evaluation": "evaluation.evaluate",
    "Fit": "equating.result",
    "Finding": "board.checks.finding",
    "FitSettings": "equating.settings",
    "ObservedCells": "equating.cells",
    "RankableBoard": "board.retain",
    "RankingError": "errors",
    "Space": "geometry.space",
    "TaskError": "errors",
    "TaskForm": "text.tasks",
    "TaskPart": "ranking.task",
    "TaskRanking": "ranking.task",
    "angular_distances": "geometry.angles",
    "bootstrap_abilities": "equating.bootstrap",
    "calibrate_abstention": "ranking.abstention",
    "check_board": "board.checks.check",
    "continuous_relevance": "ranking.relevance",
    "effective_mass": "geometry.density",
    "embed": "text.embed",
    "evaluate_board": "evaluation.evaluate",
    "find_encoder": "text.registry",
    "fit_cells": "equating.fit",
    "fit_scores": "equating.fit",
    "freeze_texts": "text.describing",
    "inverse_density_weights": "geometry.density",
    "kriging_field": "ranking.kriging",
    "lint_descriptions": "geometry.wording",
    "magnitude_weights": "geometry.magnitude",
    "make_demo_board": "sources.demo",
    "marginal_mass": "geometry.density",
    "measure_space": "geometry.space",
    "plan_texts": "text.describing",
    "read_board": "sources.read",
    "read_forms": "text.tasks",
    "read_prompts": "text.tasks",
    "residual_field": "ranking.field",
    "strip_lineage": "text.lineage",
    "weigh_tasks": "text.tasks",
    "write_folder": "board.folder",
    "write_texts": "text.describing",
}

__all__ = sorted(_ROOMS)


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'balance_of_benchmarks' has no attribute {name!r}")
    value = getattr(import_module(f"balance_of_benchmarks.{_ROOMS[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_ROOMS, "__version__"])
