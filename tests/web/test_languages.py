"""Which language a reader gets, and that its catalogue says everything."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment

import server.web
from server.web import catalogue, languages
from server.web.glossary import GLOSSARY
from server.web.languages import CHINESE, ENGLISH, LANGUAGES
from server.web.templating import environment

TEMPLATES = sorted((Path(server.web.__file__).parent / "templates").rglob("*.html"))
SAME = {"API", "MP", "×%(times)s"}  # said alike in every language
NAMED = {"Week %(week)s"}  # a week's Chinese name says itself that it is one
OURS = {
    "Crossruff",
    "CSV",
    "JSON",
    "PBN",
    "USEBIO",
    "NT",
    "X",
    "XX",
    "S",
}  # names, signs of the game, letters of seats
TERMS = {  # of the specification
    "pair": "对子", "board": "副（牌）", "vulnerability": "局况", "dealer": "发牌人", "declarer": "庄家",
    "lead": "首攻", "contract": "定约", "trick": "墩", "down": "宕", "double, redouble": "加倍、再加倍",
    "notrump": "无将", "score": "基本分", "datum": "平均分", "disconnect": "断线", "director": "裁判",
    "adjusted score": "调整分", "void": "作废", "retired": "封存", "pending": "待计分", "scoring": "计分中",
}  # fmt: skip
VULNERABILITIES = {
    "nobody vulnerable": "双方无局", "NS vulnerable": "南北有局",
    "EW vulnerable": "东西有局", "both vulnerable": "双方有局",
}  # fmt: skip
translated = pytest.mark.parametrize("language", [each for each in LANGUAGES if each is not ENGLISH])


@pytest.mark.parametrize(
    ("accept", "language"),
    [
        ("", ENGLISH),
        ("zh", CHINESE),
        ("zh-Hant-TW", CHINESE),
        ("ZH-cn", CHINESE),
        ("de", ENGLISH),
        ("en;q=0.5, zh;q=0.9", CHINESE),
        ("en;q=0.9, zh;q=0.5", ENGLISH),
        ("en, zh", ENGLISH),
        ("zh, en", CHINESE),
        ("zh;q=0, en;q=0", ENGLISH),
        ("fr, zh;q=0.001", CHINESE),
        ("*", ENGLISH),
        ("zh;q=2", ENGLISH),
        ("zh;level=1", ENGLISH),
    ],
)
def test_the_language_that_a_browser_likes_best(accept, language):
    assert languages.wanted(accept) is language


@given(st.text(max_size=200))
def test_any_header_gives_a_language(accept):
    assert languages.wanted(accept) in LANGUAGES


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("/en", ENGLISH),
        ("/zh/", CHINESE),
        ("/zh/boards/x", CHINESE),
        ("/", None),
        ("/zhx", None),
        ("/EN/", None),
    ],
)
def test_the_language_of_an_address(path, language):
    assert languages.of_path(path) is language


def messages(found):
    """Id and context of each message of a catalogue."""
    return {
        (message.id if isinstance(message.id, str) else tuple(message.id), message.context)
        for message in found
    }


@translated
def test_a_catalogue_has_every_message_and_no_other(language):
    known, said = messages(catalogue.read(language)), messages(catalogue.said())
    assert said - known == set(), "missing: run `make messages` and translate them"
    assert known - said == set(), "nobody says these any more: run `make messages`"


def texts(message):
    """What a message is translated to, in each of its forms."""
    return [message.string] if isinstance(message.string, str) else list(message.string)


def originals(message):
    """What a message is in English, in each of its forms."""
    return [message.id] if isinstance(message.id, str) else list(message.id)


def slots(text):
    """The places of a text where values go, and its tags."""
    return sorted(re.findall(r"%\(\w+\)s|%%|</?\w+[^>]*>", text))


@translated
def test_every_message_is_translated_with_its_values_and_tags(language):
    for message in catalogue.read(language):
        if not message.id:
            continue
        assert not message.fuzzy
        expected = slots(originals(message)[-1])
        for text in texts(message):
            assert text.strip(), message.id
            assert slots(text) == expected, message.id
            assert text == text.strip()
            foreign = re.search(r"[\u4e00-\u9fff]", text) or message.id in SAME | NAMED | {"IMPs", "The API"}
            assert foreign, f"not translated: {message.id}"


@translated
def test_a_catalogue_is_as_make_messages_leaves_it(language, tmp_path, monkeypatch):
    before = languages.catalogue(language).read_bytes()
    path = tmp_path / language.babel / "messages.po"
    path.parent.mkdir()
    path.write_bytes(before)
    monkeypatch.setattr(languages, "LOCALE", tmp_path)
    assert catalogue.update(language) == 0
    assert path.read_bytes() == before


def test_the_words_of_the_game_are_those_of_the_field():
    said = languages.messages(CHINESE)
    named = {term.word for term in GLOSSARY}
    assert set(TERMS) <= named
    assert {word: said.gettext(word) for word in TERMS} == TERMS
    assert {word: said.gettext(word) for word in VULNERABILITIES} == VULNERABILITIES


def literal(source):
    """Text for people in a template that is no message: between tags, or in attributes that are read out."""
    lexer = Environment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.i18n", "jinja2.ext.do"])
    text, inside, block = "", False, False
    for _line, kind, value in lexer.lex(source):
        if kind == "block_begin":
            block = True
        elif block and kind == "name":
            inside = {"trans": True, "endtrans": False}.get(value, inside)
            block = False
        elif kind == "data" and not inside:
            text += value
        elif kind in ("variable_begin", "variable_end"):
            text += "\0"
    text = re.sub(r"<code>.*?</code>|<!doctype html>|<svg.*?</svg>|&#x?\w+;", "", text, flags=re.DOTALL)
    read_out = re.findall(r'(?:aria-label|title|alt|placeholder|data-label)="([^"\0{]*)"', text)
    between = re.sub(r"<[^>]*>", " ", text)
    words = re.findall(r"[^\W\d_]+", " ".join([between, *read_out]))
    return [word for word in words if word not in OURS]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_says_anything_that_is_no_message(path):
    assert literal(path.read_text(encoding="utf-8")) == []


def test_literal_text_is_found():
    assert literal('<p>Hello {{ name }}</p><a title="There">') == ["Hello", "There"]
    assert literal('<p>{% trans %}Hello{% endtrans %} {{ _("there") }}</p><a href="/x/y">') == []


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_every_template_can_be_read(language):
    made = environment(language)
    for path in TEMPLATES:
        made.get_template(str(path.relative_to(TEMPLATES[0].parent)))


def test_english_messages_have_well_formed_slots():
    for message in catalogue.said():
        for text in originals(message) if message.id else []:
            assert "%" not in re.sub(r"%\(\w+\)s|%%", "", text), text
