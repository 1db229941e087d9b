"""The languages that pages are written in: which one a reader wants, and its messages.

The source is English: a message is its own English text. The others are gettext catalogues in `locale/`,
read with Babel when first needed, so that nothing has to be compiled. `make messages` brings them up to date.
"""

import re
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

LOCALE = Path(__file__).parent / "locale"
_WEIGHT = re.compile(r"q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")


@dataclass(frozen=True, slots=True)
class Language:
    """A language that every page exists in."""

    code: str  # first part of an address
    tag: str  # as HTML and HTTP name it
    name: str  # in itself
    babel: str  # as Babel names it, and the folder of its catalogue
    comma: str = ", "  # between the items of a list
    colon: str = ": "
    stop: str = ". "  # between sentences
    brackets: tuple[str, str] = (" (", ")")
    space: str = " "  # between words, and between sentences

    @property
    def locale(self) -> Locale:
        """How it writes dates and numbers."""
        return Locale.parse(self.babel)


ENGLISH = Language("en", "en", "English", "en")
CHINESE = Language("zh", "zh-Hans", "中文", "zh_Hans", "，", "：", "。", ("（", "）"), "")
LANGUAGES = (ENGLISH, CHINESE)
_BY_CODE = {language.code: language for language in LANGUAGES}


def N_(message: str) -> str:  # noqa: N802 - the name that gettext's tools look for
    """Mark a message that is looked up later, where the reader's language is known."""
    return message


def of_path(path: str) -> Language | None:
    """The language that an address begins with."""
    return _BY_CODE.get(path.split("/", 2)[1]) if path.startswith("/") else None


def wanted(accept: str) -> Language:
    """The language of ours that an Accept-Language header likes best; English when it names none of them."""
    best, weight = ENGLISH, 0.0
    for part in accept[:1000].split(","):
        name, _, parameter = part.partition(";")
        language = _BY_CODE.get(name.strip().lower().split("-", 1)[0])
        match = _WEIGHT.fullmatch(parameter.strip()) if parameter else None
        liked = 1.0 if not parameter else float(match[1]) if match else 0.0
        if language is not None and liked > weight:
            best, weight = language, liked
    return best


def catalogue(language: Language) -> Path:
    """Where the messages of a language other than English are."""
    return LOCALE / language.babel / "messages.po"


@cache
def messages(language: Language) -> NullTranslations:
    """The messages of a language, read once."""
    if language is ENGLISH:
        return NullTranslations()
    compiled = BytesIO()
    with catalogue(language).open("rb") as file:
        write_mo(compiled, read_po(file, locale=language.babel))
    compiled.seek(0)
    return Translations(compiled)
