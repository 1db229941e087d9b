"""Bytes to text: by byte order mark, else UTF-8, else Windows-1252."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.formats.errors import FileRefused
from server.formats.text import decode


@pytest.mark.parametrize(
    "data",
    [
        "Zoë ♠".encode(),
        codecs.BOM_UTF8 + "Zoë ♠".encode(),
        codecs.BOM_UTF16_LE + "Zoë ♠".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "Zoë ♠".encode("utf-16-be"),
    ],
)
def test_unicode_with_and_without_a_mark(data: bytes) -> None:
    assert decode(data) == "Zoë ♠"


def test_what_is_not_utf_8_throughout_is_windows_1252() -> None:
    assert decode("Zoë – O’Hara €".encode("cp1252")) == "Zoë – O’Hara €"
    assert decode(codecs.BOM_UTF8 + b"Zo\xeb") == "Zoë"


def test_a_byte_that_means_nothing_does_not_lose_the_file() -> None:
    assert decode(b"a\x81b\xe9") == "a\ufffdbé"


@pytest.mark.parametrize(
    "data", [codecs.BOM_UTF16_LE + b"a\0\n\0b", codecs.BOM_UTF16_LE + b"a\0\n\0\x00\xd8"]
)
def test_broken_utf_16_is_refused_with_its_line(data: bytes) -> None:
    with pytest.raises(FileRefused) as refused:
        decode(data)

    assert refused.value.line == 2


@given(st.text())
def test_any_text_in_utf_8_comes_back(text: str) -> None:
    assert decode(codecs.BOM_UTF8 + text.encode()) == text
    if not text.encode().startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE)):
        assert decode(text.encode()) == text


@given(st.binary())
def test_any_bytes_are_decoded_or_refused(data: bytes) -> None:
    try:
        text = decode(data)
    except FileRefused:
        assert data.startswith((codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE))
    else:
        assert (
            not text.startswith("\ufeff") or data.startswith(2 * codecs.BOM_UTF8) or b"\xff\xfe" in data[:6]
        )
