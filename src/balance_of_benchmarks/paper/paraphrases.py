"""Our own descriptions said once more in other words, for the paper's test that wording does not decide.

Each was written from the description in `sources.known` alone: the same meaning, other words and another order of
sentences, the same length. They were written before any figure was computed with them, and are not tuned to one.
"""

from __future__ import annotations

from typing import Final

__all__ = ["OWN_PARAPHRASES"]

OWN_PARAPHRASES: Final[dict[str, str]] = {
    "aime": (
        "To score here, a model must derive an exact integer between 0 and 999 for each of thirty questions of the "
        "American Invitational Mathematics Examination held in 2024. No options are offered, and the wording is "
        "English. Number theory, combinatorics, geometry and algebra are examined just beneath national-olympiad "
        "difficulty, so one slip in a lengthy calculation loses the item."
    ),
    "aime_25": (
        "Thirty tasks from the 2025 sitting of the American Invitational Mathematics Examination, set for talented "
        "secondary-school pupils, make up this evaluation. Each is worked out freely and closes with an integer of up "
        "to three digits. Number theory, combinatorics, geometry and algebra have to be mastered by exact contest "
        "thinking, and coming a year after the 2024 sitting the tasks are harder to have memorised."
    ),
    "math_500": (
        "From the MATH corpus of school contests 500 exercises were drawn, graded from easy to demanding in five "
        "tiers. Precalculus, number theory, probability, combinatorics, geometry and algebra down to its beginnings "
        "all occur. Solutions are unrestricted and a response is right when its closing number or formula equals the "
        "reference; what is tested is careful everyday competition mathematics short of olympiad standard."
    ),
    "gpqa": (
        "Holders of doctoral degrees composed and vetted these 198 questions on physics, chemistry and biology, each "
        "with four choices. Clever people from other disciplines usually get them wrong even after searching the web, "
        "which is how the items were selected. Answering therefore shows a command of natural science at "
        "postgraduate level and the inference to use it, not skill in finding facts."
    ),
    "hle": (
        "Some 2,500 items contributed by experts from engineering, the humanities, medicine, biology, physics, "
        "mathematics and dozens of narrower disciplines form Humanity's Last Exam. Written in English, they call for "
        "picking an option or stating a brief precise answer. Because current models fail most of them, the score "
        "tells how close a model comes to the frontier of scholarly knowledge and thought."
    ),
    "mmlu_pro": (
        "Roughly 12,000 English items from fourteen fields, among them physics, mathematics, history, health, "
        "engineering, business and law, each list as many as ten possible answers. Compared with the original MMLU a "
        "lucky guess pays less and several inferential steps are often needed. The evaluation gauges the breadth of "
        "a model's professional and scholarly knowledge together with its use."
    ),
    "livecodebench": (
        "Fresh tasks from Codeforces, AtCoder and LeetCode, all newer than a model's training data, have to be "
        "answered with Python code. Hidden test cases check each program's output and speed. Since nothing can be "
        "recalled from memory, results reflect a talent for inventing algorithms and coding them without error, as "
        "contestants in programming competitions do."
    ),
    "scicode": (
        "Here a model turns science into Python: researchers contributed coding tasks out of their own work in "
        "materials science, mathematics, biology, chemistry and physics. They are broken down into 338 stages, each "
        "of which wants a function that simulates, analyses data or carries out a numerical method, and its output is "
        "checked against known values. Domain understanding and sound programming are needed at once."
    ),
    "ifbench": (
        "Can a model obey a request exactly? Each of 294 everyday requests carries added demands, such as how many "
        "items to give, how to format them, which words must or must not occur, or in what sequence sections come. "
        "Software verifies every demand automatically, and nothing else about the response counts, however well or "
        "badly it may be written."
    ),
    "lcr": (
        "One hundred English questions have to be answered from bundles of genuine reports, contracts and scholarly "
        "articles whose text adds up to some hundred thousand tokens. The evidence for a single reply is scattered "
        "over distant places, which must be located, combined and reasoned from. What is examined is how well a model "
        "reads, searches and concludes when its input is extremely long."
    ),
    "terminalbench_hard": (
        "Working unaided in a containerised shell, a model tackles the hardest assignments of Terminal-Bench: mending "
        "an installation that no longer works, building programs, rescuing lost data, or fitting a model. It has to "
        "devise a plan, issue commands, interpret what they print and recover from errors through a long session. "
        "Scripts examine how the machine was left, and thereby how capable the model is as an independent operator."
    ),
    "terminalbench_v2_1": (
        "Eighty-nine reworked assignments make up Terminal-Bench 2.1, and a model carries each of them out by typing "
        "commands in a container with nobody to assist. They involve data processing, system administration, "
        "security, and the compiling and fixing of programs. Progress depends on reading each command's output "
        "before the next is given, and scripted checks of the end state settle whether it passed."
    ),
    "tau2": (
        "A model plays the support representative of a phone company, a retailer or an airline and chats with a "
        "scripted client across many exchanges. Business rules bind it, internal functions must be invoked "
        "correctly, and at times the client has to be coached through steps on a device of their own. The replies "
        "given and the records that remain in the database determine the grade."
    ),
    "tau_banking": (
        "Acting for a bank's help desk, a model chats with a scripted client and uses internal functions to find "
        "cards and accounts, transfer funds, settle disputed charges and update settings. Strict provisions in the "
        "institution's own documents must be respected all along. Only when the records end up precisely as required "
        "is a case credited."
    ),
}
"""By benchmark key, of all fourteen."""
