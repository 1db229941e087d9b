"""Brings the catalogues up to date with what the pages say: `make messages`.

A message is marked in a template by `_(…)`, `ngettext(…)` or `{% trans %}`, in Python by `N_(…)`; the titles
of problems are messages too. New ones are added to each catalogue without translation, those that nothing
says any more are dropped, and nothing is guessed.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from server.web import problems
from server.web.languages import ENGLISH, LANGUAGES, Language, catalogue

_FOLDER = Path(__file__).parent
_METHODS = [("**/templates/**.html", "jinja2"), ("**.py", "python")]
_OPTIONS = {"**/templates/**.html": {"trimmed": "true", "extensions": "jinja2.ext.do"}}
_KEYWORDS = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
_HEADER = "# Messages of the pages; English is the source."
_UNDATED = datetime(2026, 1, 1, tzinfo=UTC)  # a catalogue changes when its messages do


def said() -> Catalog:
    """Every message that a page can say, with the files that say it."""
    found = Catalog(creation_date=_UNDATED)
    for file, message, context in sorted(_found(), key=lambda each: (each[0], str(each[1]))):
        found.add(message, locations=[(f"server/web/{file}", 0)], context=context)
    return found


def _found() -> Iterator[tuple[str, str | tuple[str, ...], str | None]]:
    marked = extract_from_dir(_FOLDER, _METHODS, _OPTIONS, _KEYWORDS, strip_comment_tags=True)
    for file, _line, message, _comments, context in marked:
        yield file.replace("\\", "/"), message, context
    for kind in problems.STATUS:
        yield "problems.py", problems.title(kind), None


def read(language: Language) -> Catalog:
    """A catalogue as it is."""
    with catalogue(language).open("rb") as file:
        return read_po(file, locale=language.babel)


def update(language: Language) -> int:
    """Bring a catalogue up to date; how many of its messages have no translation."""
    known, wanted = read(language), said()
    updated = Catalog(
        locale=language.babel,
        project="Crossruff",
        version="1",
        header_comment=_HEADER,
        creation_date=_UNDATED,
        revision_date=_UNDATED,
        fuzzy=False,
        msgid_bugs_address="-",
        last_translator="-",
        language_team=language.tag,
    )
    for message in wanted:
        if not message.id:
            continue
        before = known.get(message.id, message.context)
        text = before.string if before is not None else ""
        updated.add(message.id, text, message.locations, context=message.context)
    with catalogue(language).open("wb") as file:
        write_po(file, updated, width=110, sort_output=True, include_lineno=False, omit_header=False)
    return sum(not any(_texts(message.string)) for message in updated if message.id)


def _texts(string: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else tuple(string or ())


def main() -> None:
    """Bring every catalogue up to date, and say what is missing."""
    for language in LANGUAGES:
        if language is not ENGLISH:
            missing = update(language)
            print(f"{catalogue(language)}: {missing} without translation")  # noqa: T201


if __name__ == "__main__":
    main()
