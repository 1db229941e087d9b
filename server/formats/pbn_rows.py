"""Rows of PBN score tables, and the result that a game carries by itself."""

from collections.abc import Mapping
from decimal import Decimal

from server.bridge.contract import Outcome
from server.bridge.deal import parse_card
from server.bridge.errors import BridgeError, Impossible
from server.formats.complaints import Complaints
from server.formats.pbn_checks import check_order
from server.formats.pbn_games import Game, Tag
from server.formats.pbn_tables import Cells, read_table
from server.formats.pbn_values import (
    UNKNOWN,
    read_figure,
    read_figures,
    read_outcome,
    read_score,
    read_seat,
    whole_number,
    whole_score,
)
from server.formats.records import Published, Row, Total

_COLUMNS = {"imps": "imp", "matchpoints": "mp", "percent": "percentage"}
_TAGS = {"imps": "ScoreIMP", "matchpoints": "ScoreMP", "percent": "ScorePercentage"}
_RESULTS = frozenset(
    {"contract"} | {base + side for base in ("score", *_COLUMNS.values()) for side in ("", "_ns", "_ew")}
)
_SEATS = ("north", "east", "south", "west")
_SIT_OUT = frozenset({"bye", "sit-out", "sitout"})
_MOST_TABLES = 1000  # that one row may stand for


def read_rows(tag: Tag, complaints: Complaints) -> tuple[Row, ...]:
    """The traveller rows of a ScoreTable; a row that is not understood is refused with its line.

    A sit-out (``Bye``) is no result and gives no row.
    """
    table = read_table(tag, complaints, complaints.refuse)
    check_order(tag, table, complaints)
    names = [column.name for column in table.columns]
    if table.rows and not _RESULTS & {*names}:
        complaints.refuse(tag.line, "no column of ScoreTable says what happened")
        return ()
    rows = []
    for cells in table.rows:
        if not _SIT_OUT.isdisjoint(map(str.lower, cells.texts)):
            continue
        try:
            row = _row(cells, dict(zip(names, cells.texts, strict=True)), complaints)
        except BridgeError as error:
            complaints.refuse(cells.line, str(error))
            continue
        if row.outcome is None and row.score is None and not row.artificial and not row.published:
            complaints.warn(cells.line, "a row without a result was left out")
            continue
        rows.append(row)
    return tuple(rows)


def read_own_row(game: Game, complaints: Complaints) -> Row | None:
    """The result in the tags of a game without a table; None when it has none, or, refused, a wrong one."""
    line = game.line_of("Contract" if game.value("Contract") not in UNKNOWN else "Score")
    try:
        return _own_row(game, line, complaints)
    except BridgeError as error:
        complaints.refuse(line, str(error))
        return None


def read_totals(tag: Tag, complaints: Complaints) -> tuple[Total, ...]:
    """What a TotalScoreTable publishes for each pair."""
    table = read_table(tag, complaints, complaints.refuse)
    check_order(tag, table, complaints)
    names = [column.name for column in table.columns]
    totals = []
    for cells in table.rows:
        try:
            totals.append(_total(cells, dict(zip(names, cells.texts, strict=True))))
        except BridgeError as error:
            complaints.refuse(cells.line, str(error))
    return tuple(totals)


def _row(cells: Cells, by_name: Mapping[str, str], complaints: Complaints) -> Row:
    artificial = _awarded(by_name) if any("^" in text for text in cells.texts) else None
    score = None if artificial else _score(by_name)
    _check_score(score, cells.line, complaints)
    return Row(
        line=cells.line,
        ns=_known(by_name.get("pairid_ns", "")),
        ew=_known(by_name.get("pairid_ew", "")),
        outcome=None if artificial else _outcome(by_name),
        score=score,
        artificial=artificial,
        lead=_lead(by_name.get("lead", ""), cells.line, complaints),
        published=_published(by_name, cells.line, complaints),
        multiplicity=_multiplicity(by_name.get("multiplicity", "")),
        players=_players(by_name),
    )


def _players(by_name: Mapping[str, str]) -> tuple[str, ...]:
    """Who sat N, E, S, W, where the table names players instead of pairs."""
    named = [_known(by_name.get(f"playerid_{seat}", "")) or "" for seat in _SEATS]
    return tuple(named) if any(named) else ()


def _own_row(game: Game, line: int, complaints: Complaints) -> Row | None:
    outcome = read_outcome(*(game.value(name) for name in ("Contract", "Declarer", "Result")))
    declarer = read_seat(game.value("Declarer"))
    texts = {what: game.value(name) for what, name in _TAGS.items()}
    artificial = " ".join(text for text in (*texts.values(), game.value("Score")) if "^" in text) or None
    passed_out = outcome is not None and outcome.passed_out
    score = None if artificial else read_score(game.value("Score"), declarer, passed_out)
    if outcome is None and score is None and artificial is None:
        return None
    _check_score(score, line, complaints)
    figures = {what: read_figures(text, declarer) for what, text in texts.items()}
    players = tuple(_known(game.value(name)) or "" for name in ("North", "East", "South", "West"))
    return Row(
        line=line,
        ns=_known(game.value("PairNS")),
        ew=_known(game.value("PairEW")),
        outcome=None if artificial else outcome,
        score=score,
        artificial=artificial,
        published=tuple(
            Published(what, ns, ew) for what, (ns, ew) in figures.items() if (ns, ew) != (None, None)
        ),
        players=players if any(players) else (),
    )


def _total(cells: Cells, by_name: Mapping[str, str]) -> Total:
    figures = {name: read_figure(by_name.get(name, "")) for name in ("totalimp", "imp", "totalmp", "mp")}
    percent = read_figure(by_name.get("totalpercentage", by_name.get("percentage", "")))
    return Total(
        line=cells.line,
        pair=by_name.get("pairid", ""),
        direction="",
        total=next((figure for figure in figures.values() if figure is not None), None),
        percent=percent,
        place=by_name.get("rank", ""),
        names=tuple(
            name.strip() for name in by_name.get("names", "").replace("/", ";").split(";") if name.strip()
        ),
    )


def _outcome(by_name: Mapping[str, str]) -> Outcome | None:
    return read_outcome(*(by_name.get(name, "") for name in ("contract", "declarer", "result")))


def _score(by_name: Mapping[str, str]) -> int | None:
    """The score signed for NS; a column without a side is declarer's."""
    ns, ew = by_name.get("score_ns", ""), by_name.get("score_ew", "")
    if ns in UNKNOWN and ew in UNKNOWN:
        return read_score(by_name.get("score", ""), read_seat(by_name.get("declarer", "")), True)
    scores = {*([] if ns in UNKNOWN else [whole_score(ns)]), *([] if ew in UNKNOWN else [-whole_score(ew)])}
    if len(scores) > 1:
        raise Impossible("score", f"what one side wins the other loses, unlike {ns} and {ew}")
    return scores.pop()


def _check_score(score: int | None, line: int, complaints: Complaints) -> None:
    if score is not None and score % 10:
        complaints.warn(line, f"no contract scores {score}")


def _awarded(by_name: Mapping[str, str]) -> str | None:
    """The figures marked ``^``: awarded by a director, not won at the table."""
    bases = ("score", *_COLUMNS.values())
    cells = [by_name.get(base + side, "") for base in bases for side in ("", "_ns", "_ew")]
    return " ".join(cell for cell in cells if cell.startswith("^")) or None


def _published(by_name: Mapping[str, str], line: int, complaints: Complaints) -> tuple[Published, ...]:
    found = []
    for what, base in _COLUMNS.items():
        names = [base + side for side in ("_ns", "_ew") if base + side in by_name]
        figures = {name: _figure(by_name[name], name, line, complaints) for name in names}
        if any(figure is not None for figure in figures.values()):
            found.append(Published(what, figures.get(base + "_ns"), figures.get(base + "_ew")))
    return tuple(found)


def _figure(text: str, name: str, line: int, complaints: Complaints) -> Decimal | None:
    """A figure of a row; one that is no number is left out with a warning, and the result stands."""
    try:
        return read_figure(text)
    except BridgeError as error:
        complaints.warn(line, f"{name} {error}; left out")
        return None


def _multiplicity(text: str) -> int:
    if text in UNKNOWN:
        return 1
    tables = whole_number(text)
    if not 1 <= tables <= _MOST_TABLES:
        raise Impossible("multiplicity", f"a row stands for 1 to {_MOST_TABLES} tables, not {text}")
    return tables


def _lead(text: str, line: int, complaints: Complaints) -> str | None:
    if text in UNKNOWN:
        return None
    try:
        return parse_card(text)
    except BridgeError as error:
        complaints.warn(line, f"lead {error}; left out")
        return None


def _known(text: str) -> str | None:
    return None if text in UNKNOWN else text
