"""Travellers as values of result files, as far as the reader may see them."""

from collections.abc import Sequence
from decimal import Decimal

from server.bridge.matchpoints import matchpoints
from server.bridge.pool import ScoringMethod
from server.bridge.traveller import SideScores
from server.formats.records import FileBoard, Method, Published, ResultFile, Total
from server.formats.records import Row as FileRow
from server.services.travellers import Row, TravellerView
from server.storage.players import Player

METHODS = {
    # Files have no word for our datum, which drops more results the more there are.
    ScoringMethod.DATUM: Method.IMPS,
    ScoringMethod.CROSS_IMPS: Method.CROSS_IMPS_PER_COMPARISON,
    ScoringMethod.MATCHPOINTS: Method.MATCHPOINTS,
    ScoringMethod.HCP_COMPENSATION: Method.IMPS,
}


def traveller(view: TravellerView, event: str) -> ResultFile:
    """A board with its live results, each by two pairs that are numbered in order of arrival.

    Of a board that may still be played there is nothing.
    """
    method = METHODS[view.board.terms.method]
    if not view.open:
        return ResultFile("", event, method)
    live = [row for row in view.rows if row.result.live]
    pairs = [(str(2 * place + 1), str(2 * place + 2)) for place in range(len(live))]
    board = board_of(view, method, rows_of(view, pairs))
    totals = [total for place, row in enumerate(live) for total in _pairs(place, row)]
    return ResultFile("", event, method, (board,), tuple(totals))


def board_of(view: TravellerView, method: Method, rows: Sequence[FileRow]) -> FileBoard:
    """The board with these rows."""
    return FileBoard(
        line=0,
        number=view.board.number,
        dealer=view.board.dealer,
        vulnerability=view.board.vulnerability,
        deal=view.board.deal,
        method=method,
        rows=tuple(rows),
    )


def rows_of(view: TravellerView, pairs: Sequence[tuple[str, str]], counted: bool = True) -> list[FileRow]:
    """The live results, each by its pairs; ``counted``: matchpoints are counted among these results alone."""
    live = [row for row in view.rows if row.result.live]
    points = matchpoints([row.result.score for row in live])
    by_matchpoints = view.board.terms.method is ScoringMethod.MATCHPOINTS
    most = 2 * (len(live) - 1)
    rows = []
    for place, (row, won) in enumerate(zip(live, points, strict=True)):
        result, field = row.result, row.figures.field
        shown = []
        if field is not None and by_matchpoints:
            shown = [Published("matchpoints", Decimal(won), Decimal(most - won))] if counted else []
            shown.append(_figures("percent", field))
        elif field is not None:
            shown = [_figures("imps", field)]
        rows.append(
            FileRow(
                line=0,
                ns=pairs[place][0],
                ew=pairs[place][1],
                outcome=result.outcome,
                score=result.score,
                lead=result.lead,
                published=tuple(shown),
                players=tuple(player.public_id for player in row.players),
            )
        )
    return rows


def _figures(what: str, score: SideScores) -> Published:
    return Published(what, decimal(score.ns), decimal(score.ew))


def decimal(hundredths: int) -> Decimal:
    """Without decimals where there are none."""
    whole, rest = divmod(hundredths, 100)
    return Decimal(whole) if not rest else Decimal(hundredths).scaleb(-2)


def _pairs(place: int, row: Row) -> list[Total]:
    north, east, south, west = (shown_name(player) for player in row.players)
    return [
        Total(0, str(2 * place + 1), "NS", None, None, names=(north, south)),
        Total(0, str(2 * place + 2), "EW", None, None, names=(east, west)),
    ]


def shown_name(player: Player) -> str:
    """As files name a player."""
    return player.public_id if player.hidden else player.shown_name
