"""PBN (Portable Bridge Notation 2.1): bytes to boards with their travellers.

A game with a ScoreTable is a board with its whole traveller. Games without one carry one table each; those of
the same board and deal are rows of one traveller. A game without a result is a deal and nothing more.
"""

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import replace
from datetime import date
from typing import TypeVar

from server.bridge.deal import Deal, parse_deal
from server.bridge.errors import BridgeError
from server.bridge.seats import Vulnerability, dealer_of, vulnerability_of
from server.formats.complaints import Complaints
from server.formats.errors import FileRefused
from server.formats.pbn_checks import check_game
from server.formats.pbn_games import Game, excerpt, read_games
from server.formats.pbn_rows import read_own_row, read_rows, read_totals
from server.formats.pbn_tables import Complain
from server.formats.pbn_values import UNKNOWN, read_date, read_scoring, read_seat, read_vulnerability
from server.formats.records import FileBoard, Method, ResultFile, Row, Total
from server.formats.text import decode

_Value = TypeVar("_Value")
_CARRIES_A_RESULT = ("Result", "Score", "ScoreTable")
_CARRIES_A_BOARD = ("Deal", "Contract", *_CARRIES_A_RESULT, "ScoreIMP", "ScoreMP", "ScorePercentage")
_DIGITS = 5  # of a board number
_UNNAMED = {"imps": Method.IMPS, "matchpoints": Method.MP, "percent": Method.MP}


def read_pbn(data: bytes) -> ResultFile:
    """Everything that a PBN file says about boards and results, with a complaint for whatever it says wrong.

    Raises FileRefused when there is not one tag in it.
    """
    complaints = Complaints()
    games = read_games(decode(data), complaints)
    if not games:
        raise FileRefused('no PBN: there is no tag such as [Board "1"] in it')
    boards = _boards(games, complaints)
    totals, played_on = _totals(games, complaints), _played_on(games, complaints)
    return ResultFile(
        format="pbn",
        event=_event(games),
        method=_method(boards),
        boards=boards,
        totals=totals,
        warnings=complaints.warnings,
        refused=complaints.refused,
        played_on=played_on,
    )


def _boards(games: list[Game], complaints: Complaints) -> tuple[FileBoard, ...]:
    """The boards in the order of the file, single tables of one board together."""
    found: dict[Hashable, tuple[FileBoard, list[Row]]] = {}
    for game in games:
        vulnerability = _value(read_vulnerability, game, "Vulnerable", complaints.warn)
        check_game(game, vulnerability, complaints)
        board = _board(game, vulnerability, complaints)
        if board is None:
            continue
        alone = "ScoreTable" in game.tags
        key = game.line if alone else (replace(board, line=0, rows=()), game.value("Event"))
        found.setdefault(key, (board, []))[1].extend(board.rows)
    return tuple(replace(board, rows=tuple(rows)) for board, rows in found.values())


def _board(game: Game, vulnerability: Vulnerability | None, complaints: Complaints) -> FileBoard | None:
    """The board of one game with its rows; None when the game has none, or none that can be told."""
    method = _scoring(game, complaints)
    if not any(name in game.tags for name in _CARRIES_A_BOARD):
        return None
    number = _number(game, complaints)
    if number is None:
        return None
    table = game.tags.get("ScoreTable")
    own = None if table else read_own_row(game, complaints)
    rows = read_rows(table, complaints) if table else (own,) if own else ()
    return FileBoard(
        line=game.line,
        number=number,
        dealer=_value(read_seat, game, "Dealer", complaints.warn) or dealer_of(number),
        vulnerability=vulnerability or vulnerability_of(number),
        deal=_value(_deal, game, "Deal", complaints.refuse),
        method=_published_method(rows) if method is Method.NONE else method,
        rows=rows,
    )


def _value(read: Callable[[str], _Value | None], game: Game, name: str, complain: Complain) -> _Value | None:
    """What a tag says; None when the game lacks it, or says something else, which goes to ``complain``."""
    try:
        return read(game.value(name))
    except BridgeError as error:
        complain(game.line_of(name), f"{name} {error}")
        return None


def _deal(text: str) -> Deal | None:
    return None if text in UNKNOWN else parse_deal(text)


def _number(game: Game, complaints: Complaints) -> int | None:
    """The board number; without one the game is left out, which is refused when a result is lost by it."""
    text = game.value("Board")
    if text.isascii() and text.isdecimal() and len(text) <= _DIGITS and int(text) > 0:
        return int(text)
    lost = any(game.value(name) not in UNKNOWN for name in _CARRIES_A_RESULT)
    complain = complaints.refuse if lost else complaints.warn
    complain(
        game.line_of("Board"), f"a board is left out, its number is {excerpt(text) if text else 'not given'}"
    )
    return None


def _scoring(game: Game, complaints: Complaints) -> Method:
    method, strange = read_scoring(game.value("Scoring"))
    for name in strange:
        complaints.warn(game.line_of("Scoring"), f"unknown kind of scoring {excerpt(name)}")
    return method


def _published_method(rows: tuple[Row, ...]) -> Method:
    """What the figures themselves say about how the board was scored."""
    return next((_UNNAMED[figure.what] for row in rows for figure in row.published), Method.NONE)


def _method(boards: tuple[FileBoard, ...]) -> Method:
    """The method of most boards that have one."""
    methods = Counter(board.method for board in boards if board.method is not Method.NONE)
    return methods.most_common(1)[0][0] if methods else Method.NONE


def _event(games: list[Game]) -> str:
    titles = (game.value("Event") for game in games)
    return next((title for title in titles if title not in UNKNOWN), "")


def _played_on(games: list[Game], complaints: Complaints) -> date | None:
    days = (_value(read_date, game, "Date", complaints.warn) for game in games)
    return next((day for day in days if day is not None), None)


def _totals(games: list[Game], complaints: Complaints) -> tuple[Total, ...]:
    tables = (game.tags["TotalScoreTable"] for game in games if "TotalScoreTable" in game.tags)
    return tuple(total for table in tables for total in read_totals(table, complaints))
