"""Reading pages: what is in one, and which pages there are."""

import re
from html.parser import HTMLParser
from typing import Any

from tests.api import Answer, Api

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
LANGUAGES = ("en", "zh")
POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
SCRIPTS = {"moments.js", "tables.js", "live.js", "charts.js", "display.js"}
_VOID = {"meta", "link", "input", "br", "img", "hr", "path", "rect"}
_APART = {"td", "th", "li", "dt", "dd", "p", "h1", "h2"}
_OWN_ATTRIBUTES = re.compile(r"on[a-z]+|style|srcdoc|formaction")


class Page(HTMLParser):
    """What is in a page: tags with attributes in order, ids, links, and what is written in each element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.text = ""
        self.unclosed: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it."""
        named = dict(attrs)
        # What is drawn may have titles of its own.
        self.tags.append(("svg title" if tag == "title" and "svg" in self.unclosed else tag, named))
        self.ids |= {value for name, value in attrs if name == "id" and value}
        self.links += [value for name, value in attrs if name in ("href", "src", "action") and value]
        if tag not in _VOID:
            self.unclosed.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it; it has no end."""
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.unclosed.pop()

    def handle_endtag(self, tag: str) -> None:
        """It must be the one that is open."""
        if tag in _VOID:
            return
        assert self.unclosed.pop() == tag, f"</{tag}> closes nothing"
        self.text += " " if tag in _APART else ""

    def handle_data(self, data: str) -> None:
        """Note what is written."""
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Attributes of every such element."""
        return [attributes for name, attributes in self.tags if name == tag]


def check(text: str) -> Page:
    """A page is well formed, runs nothing but our own script and asks no other host."""
    page = Page(text)
    assert page.unclosed == []
    names = [tag for tag, _ in page.tags]
    assert not {"style", "iframe", "object", "embed", "base", "img"} & set(names)
    scripts = [(attributes.get("src") or "").partition("?")[0] for attributes in page.all("script")]
    assert {script.removeprefix("/static/") for script in scripts} == SCRIPTS
    assert len(scripts) == len(SCRIPTS)
    attributes = {name for _, named in page.tags for name in named}
    assert not [name for name in attributes if _OWN_ATTRIBUTES.fullmatch(name)]
    assert not [link for link in page.links if re.match(r"[a-z]+:|//", link, re.IGNORECASE)]
    assert names.count("h1") == names.count("main") == names.count("title") == 1
    return page


async def read(api: Api, path: str, **options: Any) -> Answer:
    """Ask for a page as a browser does."""
    return await api.get(path, **({"headers": HTML, "token": "public"} | options))


def cells(text: str) -> dict[str, list[str]]:
    """The rows of a traveller in a page: what is written in their cells, by id of the result."""
    found = {}
    for match in re.finditer(r'<tr role="row" data-result="([^"]*)".*?</tr>', text, re.DOTALL):
        written = re.findall(r"<(?:td|th) [^>]*>(.*?)</(?:td|th)>", match[0], re.DOTALL)
        found[match[1]] = [" ".join(Page(f"<p>{cell}</p>").text.split()) for cell in written]
    return found
