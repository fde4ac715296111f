"""The register of descriptions: how long a text is, and which facets of a benchmark or task it names.

An encoder sees wording as well as meaning, so texts that are to be compared are written alike: one paragraph of two to
four sentences and 40 to 80 words that says which domain is measured, which abilities, in what form the items come and
in what language they are answered, where the answer is in one: options, numbers and code are in none. Facets are looked
up in lists of words, in English: a facet that no word of a list names may still be there, which is why their absence is
a note and never an error.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = [
    "FACETS",
    "SENTENCES",
    "WORDS",
    "count_words",
    "find_facets",
    "fits_register",
    "missing_facets",
    "split_sentences",
]

WORDS: Final = (40, 80)
"""Least and most words of a description: Appendix G, "Frozen text construction and embedding"."""

SENTENCES: Final = (2, 4)
"""Least and most sentences of it."""

_ENDS: Final = re.compile(r"""(?<=[.!?])["')\]’”]*\s+(?![a-z])""")
_ABBREVIATED: Final = re.compile(
    r"\b(?:e\.g|i\.e|vs|cf|etc|approx|no|nos|fig|sec|dr|mr|mrs|ms|prof|st|al|[a-z])\.$", re.I
)


def _words(*stems: str) -> re.Pattern[str]:
    """Match any of these words; one that ends in - matches whatever begins with it."""
    ends = (re.escape(stem[:-1]) + r"\w*" if stem.endswith("-") else re.escape(stem) + r"\b" for stem in stems)
    return re.compile(rf"\b(?:{'|'.join(ends)})", re.I)


_LANGUAGES: Final = _words(
    *("english", "german", "french", "spanish", "italian", "portuguese", "dutch", "polish", "russian", "ukrainian"),
    *("turkish", "arabic", "hebrew", "persian", "farsi", "hindi", "bengali", "urdu", "tamil", "telugu", "marathi"),
    *("chinese", "mandarin", "cantonese", "japanese", "korean", "vietnamese", "thai", "indonesian", "malay"),
    *("swahili", "yoruba", "hausa", "amharic", "zulu", "greek", "czech", "slovak", "hungarian", "romanian"),
    *("bulgarian", "serbian", "croatian", "slovenian", "finnish", "swedish", "norwegian", "danish", "icelandic"),
    *("estonian", "latvian", "lithuanian", "catalan", "basque", "galician", "irish", "welsh", "latin", "sanskrit"),
    *(
        "tagalog",
        "filipino",
        "nepali",
        "khmer",
        "georgian",
        "armenian",
        "multilingual",
        "bilingual",
        "cross-lingual",
    ),
    *("python", "javascript", "typescript", "java", "rust", "sql", "haskell", "kotlin", "fortran", "verilog"),
    *("shell command-", "bash", "latex", "json", "html", "languages", "programming language-", "any language"),
)

# Forms of answer that are in no language: where one is named, a language need not be. Calls of tools are not among
# them, for they come with words to somebody; nor is "program", which often checks the answer and is not it.
_SPEECHLESS: Final = _words(
    *("multiple choice", "multiple-choice", "true or false", "option", "options", "choices", "option letter-"),
    *("integer-", "whole number", "whole numbers", "numeric", "numerical answer-", "numerical value-", "digit-"),
    *("exact number", "right number", "single number", "final number", "percentage-"),
    *("number from", "number between", "numbers from", "numbers between"),
    *("expression-", "formula", "formulas", "symbolic", "equation-", "coordinate-", "bounding box-"),
    *("code", "coding", "programming", "patch", "patches", "pull request-"),
    *("command line", "command-line", "shell", "terminal"),
)

FACETS: Final[dict[str, re.Pattern[str]]] = {
    "domain": _words(
        *("mathemat-", "math", "maths", "algebra-", "geometr-", "arithmetic", "calculus", "statistic-", "probability"),
        *("scien-", "physic-", "chemi-", "biolog-", "medic-", "clinical-", "health-", "patient-", "pharma-", "genom-"),
        *("law", "laws", "legal-", "regulat-", "financ-", "bank-", "business-", "econom-", "account-", "commerc-"),
        *("engineer-", "program-", "software", "coding", "code", "algorithm-", "database-", "sql", "security", "web"),
        *("terminal", "shell", "command line", "command-line", "operating system-", "spreadsheet-", "devops"),
        *("customer-", "retail", "airline-", "telecom-", "telephone", "travel-", "insurance", "shopping", "support"),
        *("literature", "poet-", "poem-", "fiction", "writing", "humanities", "history", "philosoph-", "academic"),
        *("language-", "linguist-", "translat-", "news", "dialogue-", "conversation-", "instruction-", "document-"),
        *("speech", "audio", "image-", "video-", "vision", "visual", "chart-", "diagram-", "robot-", "manipulation"),
        *("game-", "puzzle-", "logic", "commonsense", "common sense", "everyday", "geograph-", "politic-", "education"),
        *("safety", "bias", "ethic-", "toxic-", "encyclop-", "wikipedia", "agricultur-", "climate", "materials"),
    ),
    "abilities": _words(
        *(
            "reason-",
            "knowledge",
            "understand-",
            "comprehen-",
            "infer-",
            "deduc-",
            "deriv-",
            "prove",
            "proof-",
            "proving",
        ),
        *(
            "plan",
            "plans",
            "planning",
            "recall-",
            "retriev-",
            "synthes-",
            "summar-",
            "extract-",
            "classif-",
            "recogni-",
        ),
        *("solv-", "generat-", "implement-", "debug-", "design-", "write", "writes", "writing", "draft-", "revis-"),
        *("translat-", "transcri-", "follow", "follows", "following", "obey-", "complian-", "tool use", "uses tools"),
        *("tools", "orchestrat-", "navigat-", "manipulat-", "operat-", "ground-", "locat-", "connect-", "explain-"),
        *("calculat-", "comput-", "memor-", "attention", "creativ-", "imagination", "judgment", "judgement", "ability"),
        *("abilities", "skill-", "correct", "corrects", "recover-", "detect-", "predict-", "estimat-", "answering"),
        *("repair-", "fix", "fixes", "fixing", "refus-", "persua-", "negotiat-", "coach-", "teach-", "converse"),
    ),
    "item_format": _words(
        *("multiple choice", "multiple-choice", "option", "options", "choice-", "true or false", "yes or no", "cloze"),
        *("free response", "free-response", "free form", "free-form", "open-ended", "open ended", "short answer-"),
        *("exact answer-", "exact-answer", "integer-", "whole number-", "number", "expression", "essay-", "question-"),
        *("problem-", "prompt-", "task-", "item-", "exercise-", "exam-", "quiz-", "contest-", "pair-", "passage-"),
        *("dialogue-", "conversation-", "turns", "episode-", "scenario-", "simulat-", "session-", "case", "cases"),
        *(
            "recording-",
            "image-",
            "video-",
            "document-",
            "transcript-",
            "issue-",
            "repositor-",
            "snippet-",
            "function-",
        ),
    ),
    "answer_language": re.compile(f"{_LANGUAGES.pattern}|{_SPEECHLESS.pattern}", re.I),
}
"""What a description says besides its subject's name, and the words it is said by.

`answer_language` is there when a language is named, or a form of answer that is in none.
"""


def count_words(text: str) -> int:
    """Count what stands between blanks and holds a letter or a digit.

    Parameters
    ----------
    text : str

    Returns
    -------
    int

    Examples
    --------
    >>> count_words("Free-response problems - 500 in all.")
    5
    """
    return sum(any(character.isalnum() for character in token) for token in text.split())


def split_sentences(text: str) -> list[str]:
    """Split a paragraph into sentences; not after an abbreviation, an initial or a point within a number.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str
        All of its words, in order.

    Examples
    --------
    >>> split_sentences("Problems, e.g. of No. 2.1, are hard. Are they?")
    ['Problems, e.g. of No. 2.1, are hard.', 'Are they?']
    """
    sentences: list[str] = []
    pieces, start = [], 0
    for end in _ENDS.finditer(text):
        pieces.append(text[start : end.end()])
        start = end.end()
    pieces.append(text[start:])
    for piece in (" ".join(piece.split()) for piece in pieces):
        if sentences and _ABBREVIATED.search(sentences[-1]):
            sentences[-1] += f" {piece}"
        elif piece:
            sentences.append(piece)
    return sentences


def fits_register(text: str) -> bool:
    """Tell whether a text has the length of a description, in words and in sentences.

    Parameters
    ----------
    text : str

    Returns
    -------
    bool
    """
    return WORDS[0] <= count_words(text) <= WORDS[1] and SENTENCES[0] <= len(split_sentences(text)) <= SENTENCES[1]


def find_facets(text: str) -> dict[str, tuple[str, ...]]:
    """Find the words that name each facet, in small letters, each once, in the text's order.

    Parameters
    ----------
    text : str

    Returns
    -------
    dict of str to tuple of str
        By the names of `FACETS`; empty where no word of the list is there.

    Examples
    --------
    >>> find_facets("Physics questions in English.")["domain"]
    ('physics',)
    """
    return {
        name: tuple(dict.fromkeys(found.group().casefold() for found in words.finditer(text)))
        for name, words in FACETS.items()
    }


def missing_facets(text: str) -> tuple[str, ...]:
    """Name the facets for which no word of their lists is in a text.

    Parameters
    ----------
    text : str

    Returns
    -------
    tuple of str
    """
    return tuple(name for name, words in FACETS.items() if not words.search(text))
