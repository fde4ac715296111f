"""Tasks in words: weights, forms, files of prompts."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import balance_of_benchmarks as bob
from balance_of_benchmarks.paper.texts import OWN_TASKS
from balance_of_benchmarks.ranking.abstention import COVERED_TASKS, NONSENSE
from balance_of_benchmarks.text.register import count_words, fits_register, split_sentences
from balance_of_benchmarks.text.tasks import TaskForm, read_forms, read_prompts, weigh_tasks

FORMS = tomllib.loads((Path(__file__).parent / "task_forms.toml").read_text())
WORDS = st.text(st.characters(categories=["Ll", "Lu", "Nd"]), min_size=1).map(lambda word: f"w{word}")
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)


def form_of(name: str) -> TaskForm:
    return TaskForm(**{**FORMS[name], "abilities": tuple(FORMS[name]["abilities"])})


# --- the form --------------------------------------------------------------------------------------------------


@given(TEXTS, TEXTS, st.lists(TEXTS, max_size=3).map(tuple), TEXTS, TEXTS, TEXTS)
def test_a_form_is_written_with_every_word_of_it(
    does: str, domain: str, abilities: tuple[str, ...], receives: str, gives: str, success: str
) -> None:
    text = TaskForm(does, domain, abilities, receives, gives, success).write()
    written = text.replace(",", "").replace(".", "").casefold().split()

    for field in (does, domain, *abilities, receives, gives, success):
        assert set(field.casefold().split()) <= set(written)
    assert text.endswith(".")
    assert len(split_sentences(text)) == 4 if abilities else 3


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (TaskForm("answers calls", "banking"), "In banking, the system answers calls."),
        (TaskForm("Process claims.", " Insurance; "), "In insurance, the system is to process claims."),
        (TaskForm("write SQL", "SQL"), "In SQL, the system is to write SQL."),
        (TaskForm("plays", "chess", gives="a move"), "In chess, the system plays. It gives a move."),
        (TaskForm("plays", "chess", ("tactics", " ")), "In chess, the system plays. This requires tactics."),
        (TaskForm("plays", "chess", ("a", "b", "c")), "In chess, the system plays. This requires a, b and c."),
        (TaskForm("plays", "chess", success="It wins."), "In chess, the system plays. Success means that it wins."),
    ],
)
def test_what_is_left_out_of_a_form_is_left_out_of_its_text(form: TaskForm, text: str) -> None:
    assert form.write() == text


@pytest.mark.parametrize("empty", ["", " ", ".\n"])
def test_a_form_needs_a_verb_and_a_domain(empty: str) -> None:
    with pytest.raises(bob.TaskError, match="the form's does is empty"):
        TaskForm(empty, "law")
    with pytest.raises(bob.TaskError, match="the form's domain is empty"):
        TaskForm("judges", empty)


@pytest.mark.parametrize("name", OWN_TASKS)
def test_a_filled_form_is_in_the_register_and_nearer_than_the_query(name: str, fitted: bob.BalanceOfBenchmarks) -> None:
    text = form_of(name).write()
    raw, written = fitted.rank_for(OWN_TASKS[name].query), fitted.rank_for(text)

    assert fits_register(text)
    assert count_words(text) >= 45
    assert written.nearest[0].distance < raw.nearest[0].distance
    assert written.support > raw.support


def test_forms_of_nonsense_are_abstained_from_and_forms_of_tasks_are_not(fitted: bob.BalanceOfBenchmarks) -> None:
    def answered(text: str) -> bool:
        return not fitted.rank_for(TaskForm(text, text, (text,), text, text, text).write()).abstained

    assert not [text for text in NONSENSE if answered(text)]
    assert all(map(answered, COVERED_TASKS))


def test_forms_are_read_with_their_weights(tmp_path: Path) -> None:
    path = tmp_path / "tasks.toml"
    chess, poker = 'does = "plays"\ndomain = "chess"\n', 'does = "bets"\ndomain = "poker"\n'
    path.write_text(f"[[task]]\nweight = 3\n{chess}[[task]]\nweight = 1\n{poker}")

    assert read_forms(path) == {"In chess, the system plays.": 3.0, "In poker, the system bets.": 1.0}


def test_one_form_needs_no_weight_and_no_table(tmp_path: Path) -> None:
    path = tmp_path / "task.toml"
    path.write_text('\ufeffdoes = "plays"\ndomain = "chess"\nabilities = ["tactics"]\n', encoding="utf-8")

    assert read_forms(str(path)) == {"In chess, the system plays. This requires tactics.": 1.0}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'does = "plays"', r"domain: Field required; expected does, domain, abilities, receives, gives, success"),
        (b'does = "plays"\ndomain = "chess"\nsucces = "x"', "succes: Extra inputs are not permitted"),
        (b'does = "plays"\ndomain = " "', "the form's domain is empty"),
        (b'does = "plays"\ndomain = "chess"\nweight = 0', "weight: Input should be greater than 0"),
        (b'does = "plays"\ndomain = "chess"\nweight = inf', "weight: Input should be a finite number"),
        (b"task = []", "task: List should have at least 1 item"),
        (b"task = 3", "task: Input should be a valid list"),
        (
            b'[[task]]\ndoes = "a"\ndomain = "b"\nweight = 1\n[[task]]\ndoes = "c"\ndomain = "d"',
            "1 of 2 tasks have a weight",
        ),
        (b"does: plays", "is no TOML"),
        (b"\xff\xfe", "is no TOML"),
    ],
)
def test_a_form_that_cannot_be_read_says_where(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "task.toml").write_bytes(content)

    with pytest.raises(bob.TaskError, match=words):
        read_forms(tmp_path / "task.toml")


# --- weights ---------------------------------------------------------------------------------------------------


@given(st.dictionaries(WORDS, st.floats(0.001, 1000).map(lambda weight: round(weight, 3)), min_size=1))
def test_weights_are_read_as_they_were_written(tasks: dict[str, float]) -> None:
    assert weigh_tasks(f"{weight}: {text}" for text, weight in tasks.items()) == tasks
    assert weigh_tasks(tasks) == dict.fromkeys(tasks, 1.0)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (["60%: a", "40 % : b"], {"a": 0.6, "b": 0.4}),
        (["60% answer chats", "40 % write SQL"], {"answer chats": 0.6, "write SQL": 0.4}),
        ([".5: a", "1.: b"], {"a": 0.5, "b": 1.0}),
        (["1: a", "2: b", "3: a"], {"a": 4.0, "b": 2.0}),
        (["compare: 3 ways"], {"compare: 3 ways": 1.0}),
        (["1: first: this"], {"first: this": 1.0}),
        (["2: two\nlines"], {"two\nlines": 2.0}),
        (["12:", "-1: a"], {"12:": 1.0, "-1: a": 1.0}),
    ],
)
def test_a_weight_is_a_number_and_a_colon_in_front(given: list[str], read: dict[str, float]) -> None:
    assert weigh_tasks(given) == read


def test_a_weight_is_for_all_or_none() -> None:
    with pytest.raises(bob.TaskError, match="1 of 2 tasks have a weight and 'b' has none"):
        weigh_tasks(["0.6: a", "b"])


# --- prompts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("p.txt", "write a poem\n\n  add  two numbers\nwrite a poem\n"),
        ("p.md", "\ufeffwrite a poem\r\nadd two numbers\r\nwrite a poem"),
        ("p.json", json.dumps(["write a poem", {"prompt": "add two numbers"}, {"text": "write a poem", "id": 3}])),
        ("p.jsonl", '"write a poem"\n\n{"input": "add two numbers"}\n{"task": "write a poem"}\n'),
        ("p.jsonl", '{"prompt": "write a poem", "weight": 2}\n{"prompt": "add two numbers", "weight": 1.0}\n'),
    ],
)
def test_prompts_come_in_several_forms(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")

    assert read_prompts(tmp_path / name) == {"write a poem": 2.0, "add two numbers": 1.0}


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("p.txt", b" \n\n", "holds no prompt"),
        ("p.txt", b"\xff", "is no text in UTF-8"),
        ("p.json", b"{}", "holds a dict: expected a list of prompts"),
        ("p.json", b"[3]", r"p.json: prompt 1 is 3: expected a text"),
        ("p.json", b'[{"prompt": ["a"]}]', "prompt 1 is"),
        ("p.json", b"[", "is no JSON"),
        ("p.json", b"[" * 100_000, "is no JSON"),
        ("p.jsonl", b'"a"\n{"question": "b"}', r"p.jsonl:2 is .*question"),
        ("p.jsonl", b'{"prompt": "a", "weight": "2"}', 'weight "2": expected a number'),
        ("p.jsonl", b'{"prompt": "a", "weight": true}', "weight true: expected a number"),
        ("p.jsonl", b'{"prompt": "a", "weight": 1}\n"b"', "1 of 2 tasks have a weight"),
    ],
)
def test_prompts_that_cannot_be_read_say_where(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)

    with pytest.raises(bob.TaskError, match=words):
        read_prompts(tmp_path / name)


@pytest.mark.parametrize("read", [read_forms, read_prompts])
def test_a_file_that_is_not_there_is_said_so(read: object, tmp_path: Path) -> None:
    with pytest.raises(bob.TaskError, match=r"cannot be read: .*No such file"):
        read(tmp_path / "none.toml")  # type: ignore[operator]
