"""By which words names are found."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.services.search_words import LONGEST, MOST, found_by, plain, words

TEXTS = st.text(max_size=80)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Ann", ("ann",)),
        ("  Dörte  GARCÍA-Lopez ", ("dorte", "garcia", "lopez")),
        ("O'Brien 3rd", ("o", "brien", "3rd")),
        ("Straße", ("strasse",)),
        ("ＡＢＣ", ("abc",)),
        ("李明", ("李明", "明")),
        ("王 Li小明2", ("王", "li小明2", "小明2", "明2", "2")),
        ("Ann ann ANN", ("ann",)),
        ("한국", ("한국",)),
        ("हिन्दी", ("हिनदी",)),
        ("<b>", ("b",)),
        ("…!?", ()),
        ("", ()),
    ],
)
def test_words_of_a_name(name, expected):
    assert found_by(name) == expected


@given(TEXTS)
def test_a_name_is_found_by_each_of_its_own_words(text):
    found = found_by(text)
    assert set(words(text)[: len(found)]) <= set(found) or len(found) == MOST
    assert all(0 < len(word) <= LONGEST for word in found)
    assert len(found) == len(set(found)) <= MOST


@given(TEXTS)
def test_capitals_and_ways_of_writing_make_no_difference(text):
    assert words(unicodedata.normalize("NFD", text)) == words(unicodedata.normalize("NFC", text))
    assert words(plain(text)) == words(text)


@given(TEXTS)
def test_words_are_letters_and_figures_alone(text):
    assert all(unicodedata.category(letter)[0] in "LNM" for word in found_by(text) for letter in word)
