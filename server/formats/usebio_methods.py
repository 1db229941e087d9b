"""By which method a USEBIO file scores its boards."""

from collections.abc import Iterable
from dataclasses import dataclass

from server.formats.complaints import Complaints
from server.formats.records import FileBoard, Method
from server.formats.usebio_words import read_figure
from server.formats.xml_tree import Element

_MEAN, _SUM = Method.CROSS_IMPS_PER_COMPARISON, Method.CROSS_IMPS
_KINDS: dict[str, Method | None] = {  # None: the type leaves it open
    "MP_PAIRS": Method.MATCHPOINTS,
    "BUTLER_PAIRS": Method.BUTLER,
    "CROSS_IMP": _MEAN,
    "CROSS_IMPS": _MEAN,
    "PAIRS": None,
    "SWISS_PAIRS": None,
    "SWISS_PAIRS_CROSS_IMPS": _MEAN,
    "SWISS_PAIRS_BUTLER_IMPS": Method.BUTLER,
    "TEAMS": None,
    "SWISS_TEAMS": None,
}
_TEAMS = ("TEAMS", "SWISS_TEAMS")
_SCORING_NAMES = ("BOARD_SCORING_METHOD", "PAIRWISE_SCORING_METHOD", "SCORING_METHOD")
# By how the text begins. IMPS and VPS alone name no method.
_SCORING = {"MATCH": Method.MATCHPOINTS, "MP": Method.MATCHPOINTS, "BUTLER": Method.BUTLER, "CROSS": _MEAN}
_MOST_IMPS = 24


def kind_of(element: Element, complaints: Complaints) -> str | None:
    """EVENT_TYPE of an event or board, in capitals; None, refused by name, when we cannot read it."""
    name = element.attributes.get("EVENT_TYPE", "").strip()
    if name.upper() in _KINDS:
        return name.upper()
    known = ", ".join(_KINDS)
    complaints.refuse(element.line, f"EVENT_TYPE {name!r} is not supported; supported are {known}")
    return None


def in_victory_points(kind: str) -> bool:
    """Whether the totals of such an event are victory points of matches."""
    return kind in _TEAMS or kind.startswith("SWISS_")


@dataclass(frozen=True, slots=True)
class Scoring:
    """What an event says about its scoring."""

    declared: Method | None  # None: the event names no method
    cross: Method  # how it prints cross-IMPs

    def of_board(self, kind: str, printed: list[Method]) -> Method:
        """The method of a board: of the figures ``printed`` on it; where they leave a choice, as declared.

        ``kind`` is the board's own EVENT_TYPE, or empty.
        """
        declared = _KINDS.get(kind) or self.declared
        if declared is None or (printed and declared not in printed):
            declared = printed[0] if printed else Method.NONE
        return self._as_printed(declared)

    def of_event(self, boards: Iterable[FileBoard]) -> Method:
        """The declared method, else that of the first board that has one."""
        if self.declared is not None:
            return self._as_printed(self.declared)
        return next((board.method for board in boards if board.method is not Method.NONE), Method.NONE)

    def _as_printed(self, method: Method) -> Method:
        return self.cross if method is _MEAN else method


def scoring_of(event: Element, kind: str) -> Scoring:
    """What an event of that kind says about its scoring. Teams declare nothing: they compare two tables."""
    method = _KINDS[kind]
    if method is None and kind not in _TEAMS:
        texts = [event.text_of(name).upper() for name in _SCORING_NAMES]
        named = (method for text in texts for start, method in _SCORING.items() if text.startswith(start))
        method = next(named, None)
    return Scoring(method, _cross_method(event))


def _cross_method(event: Element) -> Method:
    """A mean per comparison, as is usual, unless a figure is higher than the most IMPs for one comparison."""
    silent = Complaints()  # what is wrong with a figure is said when its row is read
    for line in event.descendants("TRAVELLER_LINE"):
        figure = read_figure(line, "NS_CROSS_IMP_POINTS", silent)
        if figure is not None and abs(figure) > _MOST_IMPS:
            return _SUM
    return _MEAN
