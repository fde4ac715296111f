"""Texts for benchmarks everybody lists and hardly any source describes.

Artificial Analysis publishes scores under bare field names. The paper's method needs a paragraph on
each benchmark, so the fourteen fields it uses carry one here, in our own words and in one register:
what is measured, on how many items of what form, answered how, and judged how. They were written once,
before any held-out figure was computed with them, and are not tuned to one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

__all__ = ["KNOWN_BENCHMARKS", "KnownBenchmark", "describe_benchmark"]


@dataclass(frozen=True, slots=True)
class KnownBenchmark:
    """What is known of a benchmark apart from anyone's scores on it.

    Parameters
    ----------
    name : str
        The name people use.
    category : str
        The hand-assigned label of the paper's category baseline.
    n_items : int
        Number of scored items, which sets the binomial noise floor of its residual scale.
    chance : float
        Score of a uniform guess between the offered options; 0 where answers are free.
    description : str
        One paragraph in the register of benchmark descriptions.
    """

    name: str
    category: str
    n_items: int
    chance: float
    description: str


KNOWN_BENCHMARKS: Final[dict[str, KnownBenchmark]] = {
    "aime": KnownBenchmark(
        name="AIME",
        category="mathematics",
        n_items=30,
        chance=0.0,
        description=(
            "The thirty problems of the 2024 American Invitational Mathematics Examination are posed as "
            "free-response questions in English. They cover algebra, geometry, counting and number theory at the "
            "level just below the national olympiad, and every answer is a whole number from 0 to 999. A point is "
            "earned only by carrying a long exact derivation through to the right number."
        ),
    ),
    "aime_25": KnownBenchmark(
        name="AIME'25",
        category="mathematics",
        n_items=30,
        chance=0.0,
        description=(
            "This benchmark consists of the thirty problems of the 2025 American Invitational Mathematics "
            "Examination, a contest in algebra, geometry, counting and number theory for strong high-school "
            "students. Answers are whole numbers from 0 to 999, given without options to choose from. Being one "
            "year younger than the 2024 paper, the problems are less likely to have been seen in training, while "
            "they ask for the same exact competition reasoning."
        ),
    ),
    "math_500": KnownBenchmark(
        name="MATH-500",
        category="mathematics",
        n_items=500,
        chance=0.0,
        description=(
            "Five hundred problems sampled from the MATH collection of school mathematics competitions are "
            "answered in free form. The topics run from prealgebra and algebra through geometry, counting, "
            "probability and number theory to precalculus, in five levels of difficulty. The system works step by "
            "step and is graded on whether its final expression or number matches the reference, at a level easier "
            "than olympiad contests."
        ),
    ),
    "gpqa": KnownBenchmark(
        name="GPQA Diamond",
        category="knowledge",
        n_items=198,
        chance=0.25,
        description=(
            "This benchmark holds 198 four-option multiple-choice questions in biology, chemistry and physics, "
            "written and checked by people with doctorates in the field. The questions are chosen so that capable "
            "outsiders mostly fail even with a search engine at hand. It measures graduate-level scientific "
            "knowledge and the reasoning needed to apply it, rather than the ability to look something up."
        ),
    ),
    "hle": KnownBenchmark(
        name="HLE",
        category="knowledge",
        n_items=2500,
        chance=0.0,
        description=(
            "Humanity's Last Exam brings together about 2,500 questions at the edge of expert knowledge, "
            "contributed by specialists in mathematics, physics, biology, medicine, the humanities, engineering "
            "and many smaller subjects. Items ask for a short exact answer or a choice between options, in "
            "English. It measures how far academic knowledge and reasoning reach where most systems still answer "
            "wrongly."
        ),
    ),
    "mmlu_pro": KnownBenchmark(
        name="MMLU-Pro",
        category="knowledge",
        n_items=12032,
        chance=0.1,
        description=(
            "This benchmark contains about twelve thousand multiple-choice questions in English with up to ten "
            "options each, drawn from fourteen subjects such as law, business, engineering, health, history, "
            "mathematics and physics. Many of them take several steps of reasoning, and the added options make "
            "guessing less rewarding than in the original MMLU. It measures how broadly a system commands academic "
            "and professional knowledge and can apply it."
        ),
    ),
    "livecodebench": KnownBenchmark(
        name="LiveCodeBench",
        category="coding",
        n_items=315,
        chance=0.0,
        description=(
            "Problems from the contest sites LeetCode, AtCoder and Codeforces, published after a model's training "
            "data ended, are to be solved by a program in Python. Every submission is executed against hidden "
            "tests for correctness and running time. The benchmark measures algorithm design and exact "
            "implementation in competitive programming while keeping memorised solutions out."
        ),
    ),
    "scicode": KnownBenchmark(
        name="SciCode",
        category="coding",
        n_items=338,
        chance=0.0,
        description=(
            "Scientists in physics, chemistry, biology, mathematics and materials science wrote these programming "
            "problems from their own research. Each main problem is split into steps, 338 in all, in which the "
            "system writes Python functions for numerical methods, simulations or data analysis, and tests compare "
            "the results with reference values. It measures scientific understanding turned into working code."
        ),
    ),
    "ifbench": KnownBenchmark(
        name="IFBench",
        category="instruction_following",
        n_items=294,
        chance=0.0,
        description=(
            "This benchmark tests whether a system follows instructions to the letter. Each of its 294 prompts adds "
            "conditions to an ordinary request, for example on counts, formatting, the words to use or avoid, or "
            "the order of parts, and a program checks every condition. The content of the answer is not judged, "
            "only whether the stated constraints are obeyed."
        ),
    ),
    "lcr": KnownBenchmark(
        name="Long-context reasoning",
        category="long_context",
        n_items=100,
        chance=0.0,
        description=(
            "The system is given sets of real documents that amount to about one hundred thousand tokens, such as "
            "company reports, legal texts and academic papers, and is asked one hundred questions about them in "
            "English. Answering requires finding several passages far apart, connecting what they say and drawing "
            "a conclusion. The benchmark measures reading, retrieval and reasoning over very long inputs."
        ),
    ),
    "terminalbench_hard": KnownBenchmark(
        name="Terminal-Bench Hard",
        category="agentic",
        n_items=47,
        chance=0.0,
        description=(
            "The system receives a shell in a container and works alone through the difficult tasks of "
            "Terminal-Bench, such as compiling software, repairing a broken environment, training a model or "
            "recovering data. It plans, runs commands, reads their output and corrects its own mistakes over many "
            "steps. Tests inspect the final state of the machine, so the benchmark measures autonomous work on the "
            "command line."
        ),
    ),
    "terminalbench_v2_1": KnownBenchmark(
        name="Terminal-Bench 2.1",
        category="agentic",
        n_items=89,
        chance=0.0,
        description=(
            "Version 2.1 of Terminal-Bench is a revised set of 89 tasks to be completed on the command line of a "
            "container without human help. Building and debugging software, administering systems, processing data "
            "and security work are among them, and each demands a sequence of shell commands whose output the "
            "system has to interpret. Automatic tests of the final state decide success."
        ),
    ),
    "tau2": KnownBenchmark(
        name="τ²-Bench",
        category="agentic",
        n_items=114,
        chance=0.0,
        description=(
            "In this benchmark the system acts as a customer service agent for an airline, a shop or a telephone "
            "provider and talks with a simulated customer over several turns. It must call the right tools, keep "
            "to the company's written policy and, where the customer can act on a device too, guide them through "
            "it. Success is judged by the final state of the database and by what was said."
        ),
    ),
    "tau_banking": KnownBenchmark(
        name="τ-Bench Banking",
        category="agentic",
        n_items=97,
        chance=0.0,
        description=(
            "This benchmark places the system at the service desk of a bank. In a conversation with a simulated "
            "customer it looks up accounts and cards, moves money, handles disputes and changes settings through "
            "banking tools, while obeying detailed rules laid down in the bank's documents. A task counts as "
            "solved when the resulting account data are exactly as they should be."
        ),
    ),
}


def describe_benchmark(key: str) -> dict[str, Any]:
    """Give a row of a board's table of benchmarks: all that is known of a field, or its bare name.

    Parameters
    ----------
    key : str

    Returns
    -------
    dict
    """
    known = KNOWN_BENCHMARKS.get(key)
    if known is None:
        return {"key": key, "name": key}
    return {
        "key": key,
        "name": known.name,
        "description": known.description,
        "n_items": known.n_items,
        "category": known.category,
        "lower": 0.0,
        "upper": 1.0,
        "higher_is_better": True,
        "chance": known.chance,
    }
