"""Templates, one environment for each language: what they may call, and how values are written in them."""

import re
from functools import cache

from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined, select_autoescape
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from server.web import numbers, problems, static_files, words
from server.web.languages import LANGUAGES, N_, Language, messages


class _Compiled(BytecodeCache):
    """Templates are compiled once for all languages."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was compiled before."""
        if bucket.key in self._code:
            bucket.bytecode_from_string(self._code[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        self._code[bucket.key] = bucket.bytecode_to_string()


_compiled = _Compiled()


def prepare() -> None:
    """Read catalogues and compile templates, so that no request waits for it. Takes a moment: in a thread."""
    for language in LANGUAGES:
        made = environment(language)
        for name in made.list_templates():
            made.get_template(name)


@cache
def environment(language: Language) -> Environment:
    """The templates in a language. Undefined names fail; everything that is not markup of ours is escaped."""
    made = Environment(
        loader=PackageLoader("server.web", "templates"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
        bytecode_cache=_compiled,
        auto_reload=False,
    )
    made.policies["ext.i18n.trimmed"] = True
    made.install_gettext_translations(messages(language), newstyle=True)  # type: ignore[attr-defined]
    made.globals |= {
        "language": language,
        "gap": language.space,
        "languages": LANGUAGES,
        "static": static_files.address,
        "words": words,
    }
    made.filters |= {
        "plain": numbers.plain,
        "signed": numbers.signed,
        "decimals": numbers.decimals,
        "signed_decimals": numbers.signed_decimals,
        "shortest": numbers.shortest,
        "marked": lambda text: marked(text, language),
        "week_name": lambda week: week_name(week, language),
        "schema_names": schema_names,
        "in_language": lambda message, other: messages(other).gettext(message),
    }
    return made


def week_name(week: object, language: Language) -> str:
    """What a week such as 2026-W08 is called in a sentence, after the word `week`: `8 of 2026`."""
    year, _, number = str(week).partition("-W")
    return messages(language).gettext(N_("%(week)s of %(year)s")) % {"year": year, "week": int(number)}


def marked(text: str, language: Language) -> Markup:
    """Text with `names` in code type; names of problems lead to their pages."""
    known = problems.by_slug()

    def code(match: re.Match[str]) -> str:
        name = match[1]
        if name not in known:
            return f"<code>{name}</code>"
        return f'<a href="/{language.code}/problems/{name}"><code>{name}</code></a>'

    return Markup(re.sub("`([^`]*)`", code, str(escape(text))))


def schema_names(value: object) -> list[str]:
    """Names of the schemas that a body, an answer or a member refers to, in order."""
    return list(dict.fromkeys(re.findall(r"#/components/schemas/(\w+)", str(value))))
