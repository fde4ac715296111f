"""JSON from outside: halves of characters become U+FFFD, everything else stays what it is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance_of_benchmarks.transport.json_text import parse_json


@pytest.mark.parametrize(
    "content",
    [
        rb'{"a\ud800": ["b\udc00c", "\ud83d\ude00"]}',
        b'{"a\xed\xa0\x80": ["b\xed\xb0\x80c", "\xf0\x9f\x98\x80"]}',
        '{"a\\ud800": ["b\\udc00c", "\U0001f600"]}'.encode("utf-16-le"),
    ],
)
def test_half_a_character_becomes_the_mark_for_none_and_a_whole_one_stays(content: bytes) -> None:
    assert parse_json(content) == {"a\ufffd": ["b\ufffdc", "\U0001f600"]}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_what_has_no_half_characters_comes_back_as_it_is(value: object) -> None:
    assert parse_json(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    ("content", "words"), [(b'{"a": ', "Expecting value"), (b'{"\xff": 1}', "codec"), (b"[" * 10**6, "too deeply")]
)
def test_what_is_no_json_is_a_value_error(content: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_json(content)
