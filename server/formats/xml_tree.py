"""XML as a tree of elements that know their line. Nothing outside the file is ever read."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler, feature_external_ges
from xml.sax.xmlreader import InputSource, Locator, XMLReader

from defusedxml import EntitiesForbidden  # type: ignore[import-untyped]
from defusedxml.sax import make_parser  # type: ignore[import-untyped]

from server.formats.complaints import Complaints
from server.formats.errors import FileRefused

_DEEPEST = 32  # result files nest about eight deep; readers of the tree may recurse


@dataclass(slots=True)
class Element:
    """One element, filled while the file is read."""

    name: str
    line: int  # of its start tag
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)  # of its own text

    @property
    def text(self) -> str:
        """Its own text, without white space at either end."""
        return "".join(self.pieces).strip()

    def find(self, name: str) -> "Element | None":
        """The first child of that name."""
        return next((child for child in self.children if child.name == name), None)

    def all(self, name: str) -> list["Element"]:
        """Every child of that name."""
        return [child for child in self.children if child.name == name]

    def text_of(self, name: str) -> str:
        """Text of the first child of that name; empty when there is none."""
        child = self.find(name)
        return "" if child is None else child.text

    def line_of(self, name: str) -> int:
        """Line of the first child of that name, or its own when there is none."""
        child = self.find(name)
        return self.line if child is None else child.line

    def descendants(self, name: str) -> Iterator["Element"]:
        """Every element of that name below this one, in the order of the file."""
        for child in self.children:
            if child.name == name:
                yield child
            yield from child.descendants(name)


def read_tree(text: str, complaints: Complaints) -> Element:
    """The root element of an XML document.

    A document type is passed over without being fetched; declared entities are refused, as they can grow
    without bound or name other files. The declared encoding is ignored: the text is decoded already.
    Raises FileRefused with the line where the document is not well-formed.
    """
    parser: XMLReader = make_parser()
    parser.forbid_external = False  # type: ignore[attr-defined]  # it would refuse the usual DOCTYPE as well
    parser.setFeature(feature_external_ges, False)
    builder = _Builder(complaints)
    parser.setContentHandler(builder)
    source = InputSource()
    source.setCharacterStream(StringIO(text))
    try:
        parser.parse(source)
    except SAXParseException as error:
        raise FileRefused(f"not well-formed XML: {error.getMessage()}", error.getLineNumber()) from error
    except EntitiesForbidden as error:
        reason = f"declares the entity {error.name!r}; files with entities are not read"
        raise FileRefused(reason, builder.line) from error
    return builder.root


class _Builder(ContentHandler):
    """Grows the tree as the parser reports tags and text."""

    def __init__(self, complaints: Complaints) -> None:
        super().__init__()
        self._complaints = complaints
        self._above = [Element("", 0, {})]
        self._at: Locator | None = None

    @property
    def root(self) -> Element:
        return self._above[0].children[0]

    @property
    def line(self) -> int:
        return (self._at.getLineNumber() if self._at else None) or 1

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802
        self._at = locator

    def startElement(self, name, attrs):  # type: ignore[no-untyped-def]  # noqa: N802  the parser's name
        if len(self._above) > _DEEPEST:
            raise FileRefused(f"elements nested more than {_DEEPEST} deep", self.line)
        element = Element(name, self.line, dict(attrs))
        self._above[-1].children.append(element)
        self._above.append(element)

    def endElement(self, name: str) -> None:  # noqa: N802
        self._above.pop()

    def characters(self, content: str) -> None:
        self._above[-1].pieces.append(content)

    def skippedEntity(self, name: str) -> None:  # noqa: N802
        self._complaints.warn(self.line, f"the entity &{name}; is not defined here; left out")
