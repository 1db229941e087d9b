"""Lists on numbered pages: which part is shown, and which other pages there are to choose from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from server.web import queries
from server.web.pages.visits import Visit

MOST = 1_000_000  # pages that can be asked for
_BESIDE = 2  # page numbers shown on each side of the current one

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Paging:
    """The page of a list that is shown; pages are counted from 1."""

    page: int
    of_a_page: int  # rows
    total: int  # rows of the whole list

    @property
    def numbers(self) -> list[int | None]:
        """Pages to choose from; nothing where one page holds all."""
        return page_numbers(self.total, (self.page - 1) * self.of_a_page, self.of_a_page)

    @property
    def beyond(self) -> bool:
        """Whether the list ends before this page begins."""
        return 0 < self.total <= (self.page - 1) * self.of_a_page

    def of(self, rows: Sequence[T]) -> Sequence[T]:
        """Those of all rows that are on this page."""
        first = (self.page - 1) * self.of_a_page
        return rows[first : first + self.of_a_page]


def wanted(visit: Visit) -> int:
    """The page that the address asks for. Raises InvalidBody."""
    return queries.number(visit.request.query.get("page"), "page", MOST) or 1


def page_numbers(total: int, offset: int, of_a_page: int) -> list[int | None]:
    """Numbers of pages to choose from: the first, the last and those around; None where some are left out.

    The current one is ``offset // of_a_page + 1``. Nothing where one page holds all.
    """
    last, current = max(1, -(-total // of_a_page)), offset // of_a_page + 1
    if last == 1 and current == 1:
        return []
    near = range(current - _BESIDE, current + _BESIDE + 1)
    numbers = sorted({1, last, *(number for number in near if 1 <= number <= last)})
    shown: list[int | None] = []
    for number in numbers:
        if shown and number - (shown[-1] or 0) > 1:
            shown.append(None)
        shown.append(number)
    return shown
