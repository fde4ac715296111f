"""What the paper fixes about its own board: which benchmarks are pairs, which the index has, who is added to whom."""

from __future__ import annotations

from datetime import date
from typing import Final

__all__ = [
    "BENCHMARKS",
    "CLOSE_PAIRS",
    "COPIES",
    "LATER_FROM",
    "LATER_TOO",
    "MAKERS",
    "MOST_COPIES",
    "OUTSIDE_INDEX",
    "PAPER_MEDIAN",
    "SENTENCES",
    "SHUFFLES",
    "STEPS",
    "TAU_PAIR",
    "TOP",
    "WORDS",
]

BENCHMARKS: Final = (
    *("aime", "aime_25", "gpqa", "hle", "ifbench", "lcr", "livecodebench", "math_500", "mmlu_pro", "scicode"),
    *("tau2", "tau_banking", "terminalbench_hard", "terminalbench_v2_1"),
)
"""The fourteen, in the order of its tables."""

CLOSE_PAIRS: Final = (("aime", "aime_25"), ("terminalbench_hard", "terminalbench_v2_1"))
"""The two families its ten-fold sensitivity leaves out (Appendix D)."""

TAU_PAIR: Final = ("tau2", "tau_banking")
"""The pair whose nearness hangs on a mention (§5, Appendix E)."""

OUTSIDE_INDEX: Final = ("aime", "math_500", "tau_banking", "terminalbench_v2_1")
"""The benchmarks that the published index is not made of, as its figures of ten and four folds reveal."""

MAKERS: Final = {"google": "Google", "openai": "OpenAI", "anthropic": "Anthropic"}
"""Makers added one by one (§4.4), and what the source calls them."""

LATER_FROM: Final = date(2026, 8, 30)
LATER_TOO: Final = ("agnes-2-5-pro-beta",)
"""Nineteen models that its earlier snapshot did not have: eighteen by their dates, and most likely this one."""

COPIES: Final = 4
MOST_COPIES: Final = 10
SHUFFLES: Final = 200
TOP: Final = 20

STEPS: Final = (0.33, 0.60, 0.80)
"""Geodesic steps whose mass §4.2 prints, in radians of the paper's space,"""
PAPER_MEDIAN: Final = 0.8942
"""whose median distance lies between .8940 and .8944: in another space a step has as many medians."""

SENTENCES: Final = (2, 4)
WORDS: Final = (40, 80)
"""What was asked of each description (Appendix G)."""
