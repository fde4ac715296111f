"""Mentions of other benchmarks in a description, and the text without them.

"A harder successor of X" tells an encoder of a relation, and a relation moves the text towards X whatever is measured.
A mention is another benchmark of the board by name or key, or a phrase that speaks of a relation without a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from balance_of_benchmarks.board.board import Board
from balance_of_benchmarks.text.register import count_words, split_sentences

__all__ = ["LineageFinder", "Mention", "Stripped", "strip_lineage"]

# A sentence or clause that is cut keeps at least so many words, or goes as a whole.
_LEAST_LEFT: Final = 6

# What may stand between the parts of a name: a mark, or a blank; not the end of a sentence.
_JOINT: Final = r"(?:[-_:/.'’]|\s['’]?)?"

_AGE: Final = r"(?:newer|older|newest|latest|earlier|later|updated|revised|refreshed|enlarged|extended|harder|easier)"
_THING: Final = (
    r"(?:benchmark|contest|evaluation|suite|dataset|test|exam|collection|series|family|edition|version|release|paper)"
)
_RELATION: Final = re.compile(
    rf"(?:"
    rf"\b(?:successors?|predecessors?|variants?|offshoots?|spin-offs?|siblings?|extensions?|sequels?|forerunners?)"
    rf"\s+(?:to|of)\b"
    rf"|\bits\s+(?:successor|predecessor|forerunner|sibling)s?\b"
    rf"|\b{_AGE}\s+(?:\w+\s+)?(?:edition|version|revision|release)\s+of\b"
    rf"|\b(?:the|a)\s+{_AGE}\s+(?:edition|revision|release)\b"
    rf"|\bthe\s+same\s+(?:\w+\s+)?{_THING}(?:\s+{_THING})?\b"
    rf"|\bof\s+the\s+[\w²³.'’-]+(?:\s+[\w²³.'’-]+)?\s+(?:family|series)\b"
    rf"|\byears?\s+(?:younger|older|newer)\s+than\b"
    rf"|\bthan\s+(?:in|on)\s+the\s+original\b"
    rf")",
    re.I,
)
_LINKS: Final = (
    r"(?:than\s+(?:in|on|for|with)|than|unlike|compared\s+(?:with|to)|as\s+(?:in|on)"
    r"|of|from|in|to|over|like|with|by|on)"
)
# What clauses are set apart by.
_BORDER: Final = re.compile(r"[,;:]\s|\s[-–—]+\s")


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where a description speaks of another benchmark.

    Parameters
    ----------
    words : str
        As they stand there.
    benchmark : str or None
        Key of the one on the board; None for a relation that names none of them.
    start, end : int
        Where they stand.
    """

    words: str
    benchmark: str | None
    start: int
    end: int


class LineageFinder:
    """Finds mentions of a board's benchmarks in their texts.

    Parameters
    ----------
    names : iterable of (str, str)
        Key and name of each benchmark of the board.

    Notes
    -----
    Appendix E, "Lineage-stripped descriptions". A name counts where it stands as a name: written with a digit or with
    a capital beyond its first letter, as AIME or SciCode is and "Law" is not; a name within the benchmark's own is
    its own.

    Examples
    --------
    >>> finder = LineageFinder([("mmlu", "MMLU"), ("mmlu_pro", "MMLU-Pro")])
    >>> [mention.benchmark for mention in finder.find("mmlu_pro", "MMLU-Pro has more options than MMLU.")]
    ['mmlu']
    >>> finder.strip("mmlu_pro", "MMLU-Pro asks harder questions on law than MMLU. It measures knowledge.")
    'MMLU-Pro asks harder questions on law. It measures knowledge.'
    """

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._keys: dict[str, set[str]] = {}
        for key, name in names:
            for folded in (_fold(key), _fold(name)):
                for spelling in (folded, _other_year(folded)):
                    if spelling:
                        self._keys.setdefault(spelling, set()).add(key)
        # The longest first, so that MMLU-Pro is not found as MMLU.
        longest_first = sorted(self._keys, key=lambda folded: (-len(folded), folded))
        spelled = (_JOINT.join(map(re.escape, folded.split())) for folded in longest_first)
        self._names = re.compile(rf"(?<![^\W_])(?:{'|'.join(spelled)})(?![^\W_])", re.I) if self._keys else None

    def find(self, key: str, text: str) -> tuple[Mention, ...]:
        """Find where the text of the benchmark `key` speaks of others, in order.

        Parameters
        ----------
        key : str
        text : str

        Returns
        -------
        tuple of Mention
        """
        mentions = []
        for found in self._names.finditer(text) if self._names else ():
            keys = self._keys.get(_fold(found.group()), set())
            if key not in keys and keys and _is_name(found.group()):
                mentions.append(Mention(found.group(), min(keys), *found.span()))
        named = [(mention.start, mention.end) for mention in mentions]
        for found in _RELATION.finditer(text):
            if not any(start < found.end() and found.start() < end for start, end in named):
                mentions.append(Mention(found.group(), None, *found.span()))
        return tuple(sorted(mentions, key=lambda mention: mention.start))

    def strip(self, key: str, text: str) -> str | None:
        """Propose the text without them: phrases are cut, then clauses, then sentences, as little as will do.

        Parameters
        ----------
        key : str
        text : str

        Returns
        -------
        str or None
            The text itself where it mentions none; None where nothing would be left. A proposal: read it before
            use, for a cut may leave a sentence that says less than it seems to.
        """
        if not self.find(key, text):
            return text
        left = [stripped for sentence in split_sentences(text) if (stripped := self._strip_sentence(key, sentence))]
        proposal = " ".join(left)
        # Sentences apart may hold no mention that they hold together.
        return proposal if proposal and not self.find(key, proposal) else None

    def _strip_sentence(self, key: str, sentence: str) -> str | None:
        """Cut a sentence as little as will do; None to leave it out."""
        mentions = self.find(key, sentence)
        if not mentions:
            return sentence
        for cut in (_cut_phrases, _cut_end, _cut_beginning):
            shorter = cut(sentence, mentions)
            shorter = shorter[:1].upper() + shorter[1:] if sentence[:1].isupper() else shorter
            if count_words(shorter) >= _LEAST_LEFT and not self.find(key, shorter):
                return shorter
        return None


@dataclass(frozen=True, slots=True)
class Stripped:
    """A text that speaks of other benchmarks, and a proposal that does not.

    Parameters
    ----------
    benchmark : str
        Its key.
    column : str
        "description" or "paraphrase".
    mentions : tuple of Mention
    text : str
        As it is.
    proposed : str or None
        None where nothing would be left.
    """

    benchmark: str
    column: str
    mentions: tuple[Mention, ...]
    text: str
    proposed: str | None


def strip_lineage(board: Board) -> tuple[Stripped, ...]:
    """Propose descriptions and paraphrases without mentions of other benchmarks, where there are any.

    Parameters
    ----------
    board : Board

    Returns
    -------
    tuple of Stripped
        In the board's order. Proposals to be read by a person, and laid over the board's table if they are good:
        ``read_board(source, benchmarks=table)``.

    Examples
    --------
    >>> import balance_of_benchmarks as bob
    >>> [stripped.benchmark for stripped in bob.strip_lineage(bob.read_board("demo"))]
    ['aime_25', 'mmlu_pro']
    """
    finder = LineageFinder(board.benchmarks.select("key", "name").iter_rows())
    found = []
    for row in board.benchmarks.select("key", "description", "paraphrase").iter_rows(named=True):
        for column in ("description", "paraphrase"):
            text = row[column] or ""
            if mentions := finder.find(row["key"], text):
                found.append(Stripped(row["key"], column, mentions, text, finder.strip(row["key"], text)))
    return tuple(found)


def _cut_phrases(sentence: str, mentions: tuple[Mention, ...]) -> str:
    """Cut "than in X", "from X" or "of the X family" where it ends a clause, "a newer edition of" before a noun."""
    for mention in reversed(mentions):
        before, behind = sentence[: mention.start], sentence[mention.end :]
        edition = re.match(r"\s+of\s+(?=(?:the|an?)\s)", behind) if mention.benchmark is None else None
        if edition:
            sentence = before + behind[edition.end() :]
            continue
        if mention.benchmark is None:
            start = mention.start if re.match(r"of\s", mention.words, re.I) else None
        else:
            link = re.search(rf"[\s,]+{_LINKS}\s+(?:(?:the|its|an?|\w+['’]s)\s+)?(?:\w+\s+)?$", before, re.I)
            # "a variant of X" is a relation as a whole: without "of X" it would be a variant of nothing.
            related = link and any(link.start() < other.end <= mention.start for other in mentions)
            start = link.start() if link and not related else None
        if start is not None and re.match(r"\s*(?:[.,;:!?)]|$)", behind):
            sentence = before[:start] + behind
    return _tidy(sentence)


def _cut_end(sentence: str, mentions: tuple[Mention, ...]) -> str:
    """Cut from the beginning of the clause with the first mention; what follows it may hang on it."""
    borders = [found.start() for found in _BORDER.finditer(sentence) if found.start() < mentions[0].start]
    if not borders:
        return ""
    mark = sentence.rstrip()[-1]
    return _tidy(sentence[: borders[-1]].rstrip() + (mark if mark in ".!?" else ""))


def _cut_beginning(sentence: str, mentions: tuple[Mention, ...]) -> str:
    """Keep what follows a colon or semicolon behind the last mention: it stands by itself."""
    ends = [found.end() for found in re.finditer(r"[;:]\s+", sentence) if found.start() >= mentions[-1].end]
    rest = sentence[ends[0] :] if ends else ""
    return _tidy(rest)


def _tidy(sentence: str) -> str:
    sentence = re.sub(r"\s+([.,;:!?])", r"\1", " ".join(sentence.split()))
    return re.sub(r"[,;:]+([.!?])$", r"\1", sentence)


def _fold(word: str) -> str:
    """Bring a key and the names it is written as to one form: small letters and digits, between blanks."""
    return " ".join(re.findall(r"[^\W\d_]+|\d+", word.casefold()))


def _other_year(folded: str) -> str:
    """Spell a name that ends in a year of this century the other way: AIME'25 is AIME 2025."""
    name, _, year = folded.rpartition(" ")
    if not name or not re.fullmatch(r"(20)?[0-9]{2}", year):
        return ""
    return f"{name} {year.removeprefix('20') if len(year) > len('25') else '20' + year}"


def _is_name(words: str) -> bool:
    has_letter = any(character.isalpha() for character in words)
    marked = any(character.isdigit() for character in words) or any(character.isupper() for character in words[1:])
    return has_letter and marked
