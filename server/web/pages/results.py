"""One result with the arithmetic of all its scores."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from aiohttp import web

from server.bridge.contract import Contract, parse_contract
from server.bridge.deal import parse_card
from server.bridge.errors import BridgeError
from server.bridge.imps import IMP_LOWER_BOUNDS
from server.bridge.seats import Seat
from server.services import explain
from server.services.bulletins import board_channel
from server.services.closing_steps import rules_of
from server.services.errors import ResultNotFound
from server.services.explain import Comparison
from server.services.explain_week import TableRated
from server.services.explain_week_tables import SEATS
from server.storage.ids import board_id, result_number
from server.web.explaining import explanation
from server.web.pages.corrections import corrections
from server.web.pages.follows import Follows
from server.web.pages.travellers import Named, from_the_best, line, named
from server.web.pages.visits import PUBLIC, Visit
from server.web.rendering import figure


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the results that a score was reckoned from."""

    score: int
    dropped: bool
    own: bool
    imps: int | None  # of the explained result against this one, where each is compared for itself


@dataclass(frozen=True, slots=True)
class Reckoning:
    """How one score came about: the API's comparison with what a reader needs beside it."""

    found: Comparison
    rows: tuple[Compared, ...]  # best for North-South first
    ns: float
    ew: float
    bounds: tuple[int, int | None] | None  # differences that are worth as many IMPs: from, and below
    ruled: int | None  # score that is measured, where a ruling gave it in place of that among the rows


@dataclass(frozen=True, slots=True)
class Share:
    """What P of the sides is made from, where it is not the percentage itself."""

    x: float  # IMPs for North-South
    held: float  # the same within the bounds
    clamp: float  # the bounds, either way


async def get(visit: Visit) -> web.Response:
    """Every step from the contract to the scores of one result. Raises ResultNotFound, NotRevealed."""
    text = visit.request.match_info["id"]
    number = result_number(text)
    if number is None:
        raise ResultNotFound(text)
    services = visit.services
    found = await explain.explain(services.database, number, PUBLIC, services.secrecy, visit.now)
    rated = await services.explainer.tables(found.row.board, found.row.result.sequence)
    told = explanation(found, rated)
    return visit.page(
        "result.html",
        line=line(found.row),
        auction=_auction(told.result.auction or [], found.row.board.dealer),
        play=[_card(text) for text in told.result.play or []],
        result=told.result,
        board=found.row.board,
        board_id=board_id(found.row.board.id),
        follows=Follows({board_channel(found.row.board.id): found.row.board.bulletins}),
        parts=found.parts,
        vulnerable=found.vulnerable,
        award=_reckoning(found.award),
        field=_reckoning(found.field),
        method=told.method,
        rating=told.rating,
        share=_share(rated),
        of_round=told.event,
        pair=None if found.of_round is None else found.of_round.ns.pair,
        seated={} if rated is None else _seated(rated),
        corrections=corrections(found.view, found.row.result.sequence),
    )


def _share(rated: TableRated | None) -> Share | None:
    """How P came about where the week was rated."""
    x = None if rated is None else rated.lines[0].x
    if rated is None or x is None:
        return None
    clamp = rules_of(rated.snapshot).algorithm.clamp
    return Share(x, max(-clamp, min(clamp, x)), clamp)


def _seated(rated: TableRated) -> dict[str, Named]:
    """Who is rated in each seat."""
    return {seat: named(player) for seat, player in zip(SEATS, rated.lines[0].people, strict=True)}


Call = Contract | str | None
"""A bid, any other call as it was reported, or an empty place before the dealer's."""


def _auction(calls: Sequence[str], dealer: Seat) -> list[list[Call]]:
    """The calls in rows of four, from West to South."""
    cells: list[Call] = [None] * "WNES".index(dealer.value)
    cells += [_call(text) for text in calls]
    return [cells[i : i + 4] for i in range(0, len(cells), 4)] if calls else []


def _call(text: str) -> Contract | str:
    try:
        return parse_contract(text) or text
    except BridgeError:
        return text


def _card(text: str) -> tuple[str, bool]:
    """A card as suit and rank, or whatever else was reported; and whether it is a card."""
    try:
        return parse_card(text), True
    except BridgeError:
        return text, False


def _reckoning(found: Comparison | None) -> Reckoning | None:
    if found is None:
        return None
    against, index = iter(found.comparisons or ()), found.index
    ruled = None if found.own == found.scores[index] else found.own
    rows = [
        Compared(
            score,
            found.datum is not None and found.datum.dropped[i],
            i == index and ruled is None,
            None if found.comparisons is None or i == index else next(against),
        )
        for i, score in enumerate(found.scores)
    ]
    order = from_the_best([row.score for row in rows], [row.dropped for row in rows])
    bounds = None if found.difference is None else imp_bounds(found.difference)
    return Reckoning(
        found, tuple(rows[i] for i in order), figure(found.score.ns), figure(found.score.ew), bounds, ruled
    )


def imp_bounds(difference: int) -> tuple[int, int | None]:
    """The smallest difference worth as many IMPs as this one, whatever its sign, and that worth one more."""
    place = bisect_right(IMP_LOWER_BOUNDS, abs(difference))
    bounds = (0, *IMP_LOWER_BOUNDS)
    return bounds[place], bounds[place + 1] if place + 1 < len(bounds) else None
