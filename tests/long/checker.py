"""Reads the database by plain SQL and says what is wrong in it, by rules of its own.

What was acknowledged must be there, once, with the very bytes of its answer; whatever is there must have
been posted; every board must be whole: sequences without gaps, scores, awards for all results from the sixth
on and for none before, each as computed again; live messages numbered without gaps, telling each result.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.long.places import Place
from tests.long.program import Run
from tests.long.traffic import FULL, Board, Ledger
from tests.web.scoring import Judge

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
_SCORED = 6  # results with which a board is scored for the first time
_JUDGE = Judge("datum")


@dataclass
class Stored:
    """One board with everything that hangs on it."""

    name: str
    scores: str
    last_sequence: int
    retired: bool
    counted: int  # bulletins, by the board's own row
    results: dict[int, tuple[str, int]] = field(default_factory=dict)  # by sequence: table, score
    awards: dict[int, tuple[int, int]] = field(default_factory=dict)
    plays: list[int] = field(default_factory=list)  # sequence of each
    bulletins: dict[int, tuple[str, Any]] = field(default_factory=dict)  # by number: kind, body


async def check(run: Run, place: Place, ledger: Ledger, boards: Iterable[Board] | None = None) -> int:
    """Hold the database, or these boards of it, against the ledger; how many results it has."""
    chosen = None if boards is None else set(boards)
    stored = await read(place, chosen)
    keys = None
    if chosen is not None:
        keys = [f"'{key}'" for key in ledger.acknowledged if ledger.posted[key].board in chosen]
    answers = dict(await place.rows(f"SELECT key, body FROM idempotency {_where('key', keys)}"))
    await asyncio.to_thread(compare, run, stored, answers, ledger)
    return sum(len(board.results) for board in stored)


async def read(place: Place, boards: Iterable[Board] | None = None) -> list[Stored]:
    """Boards as they are stored, these or all.

    A database may still be at the last commit of a killed server: they are read until they stand still.
    """
    chosen = None if boards is None else list(boards)
    before = await _read(place, chosen)
    while True:
        found = await _read(place, chosen)
        if [each.counted for each in found] == [each.counted for each in before]:
            return found
        before = found


async def _read(place: Place, boards: Iterable[Board] | None) -> list[Stored]:
    names = None if boards is None else sorted(board.id for board in boards)
    numbers = None if names is None else [str(number_of(name)) for name in names]
    channels = None if names is None else [f"'board:{name}'" for name in names]
    found = {}
    columns = "id, scores, last_sequence, retired_at, bulletins"
    for number, scores, last, retired, counted in await place.rows(
        f"SELECT {columns} FROM boards {_where('id', numbers)}"
    ):
        found[number] = Stored(board_name(number), scores, last, retired is not None, counted)
    of_board = _where("board", numbers)
    for board, sequence, table, score in await place.rows(
        f"SELECT board, sequence, table_name, score FROM results {of_board}"
    ):
        found[board].results[sequence] = (table, score)
    for board, sequence, ns, ew in await place.rows(f"SELECT board, sequence, ns, ew FROM awards {of_board}"):
        found[board].awards[sequence] = (ns, ew)
    for board, sequence in await place.rows(f"SELECT board, sequence FROM plays {of_board}"):
        found[board].plays.append(sequence)
    by_channel = {f"board:{board.name}": board for board in found.values()}
    for channel, number, kind, body in await place.rows(
        f"SELECT channel, number, kind, body FROM bulletins {_where('channel', channels)}"
    ):
        if channel in by_channel:
            by_channel[channel].bulletins[number] = (kind, json.loads(body))
    return list(found.values())


def _where(column: str, values: Sequence[str] | None) -> str:
    return "" if values is None else f"WHERE {column} IN ({', '.join(values) or 'NULL'})"


def compare(run: Run, stored: Sequence[Stored], answers: dict[str, str], ledger: Ledger) -> None:
    """Note everything that is not as it must be."""
    tables = {board.name: {table: at for at, (table, _) in board.results.items()} for board in stored}
    for key, body in ledger.acknowledged.items():
        _check_acknowledged(run, key, body, tables, answers, ledger)
    for board in stored:
        posted = {}
        for table, _ in board.results.values():
            known = ledger.posted.get(f"{table}@{board.name}")
            if run.check(known is not None, f"{table}@{board.name}", "is there, though nobody posted it"):
                posted[table] = known.score
        _check_board(run, board, posted)
        _check_bulletins(run, board)


def _check_acknowledged(
    run: Run, key: str, body: bytes, tables: dict[str, Any], answers: dict[str, str], ledger: Ledger
) -> None:
    post = ledger.posted[key]
    if post.board.id not in tables:
        return  # not asked for
    told = json.loads(body)
    sequence = tables[post.board.id].get(post.body["table"])
    if not run.check(sequence is not None, key, "acknowledged and lost"):
        return
    expected = (sequence, f"r_{post.board.id[2:]}{_encoded(sequence)}", post.score)
    found = (told["sequence"], told["id"], told["score"])
    run.check(found == expected, key, "told", found, "stored", expected)
    run.check(answers.get(key, "").encode() == body, key, "told", body, "remembered", answers.get(key))


def _check_board(run: Run, board: Stored, posted: dict[str, int]) -> None:
    rows = [board.results[sequence] for sequence in sorted(board.results)]
    scores = [score for _, score in rows]
    count = len(rows)

    def must(what: str, found: object, expected: object) -> None:
        run.check(found == expected, board.name, what, found, "expected", expected)

    must("sequences", sorted(board.results), list(range(1, count + 1)))
    must("last sequence", board.last_sequence, count)
    must("tables twice", [table for table, times in Counter(t for t, _ in rows).items() if times > 1], [])
    must("scores of its row", board.scores, ",".join(map(str, scores)))
    must("scores", scores, [posted.get(table, score) for table, score in rows])
    must("retired", board.retired, count >= FULL)
    run.check(count <= FULL, board.name, "has", count, "results")
    must("plays", sorted(board.plays), sorted(4 * list(range(1, count + 1))))
    awards = {index + 1: _JUDGE.award(scores, index) for index in range(count)} if count >= _SCORED else {}
    must("awards of", sorted(board.awards), sorted(awards))
    must("awards", board.awards, awards)


def _check_bulletins(run: Run, board: Stored) -> None:
    numbers = sorted(board.bulletins)
    run.check(numbers == list(range(1, len(numbers) + 1)), board.name, "bulletins are numbered", numbers)
    run.check(board.counted == len(numbers), board.name, "counts", board.counted, "bulletins of", numbers)
    told: dict[int, str] = {}
    results = 0
    for number in numbers:
        kind, body = board.bulletins[number]
        if kind == "result":
            run.check(body["board"]["results"] > results, board.name, "bulletin", number, "tells less", body)
            results = body["board"]["results"]
        told |= {row["sequence"]: row["state"] for row in body["results"]}
    state = "scored" if len(board.results) >= _SCORED else "pending"
    expected = dict.fromkeys(board.results, state)
    run.check(told == expected, board.name, "bulletins tell", told, "expected", expected)


def board_name(number: int) -> str:
    """Public id of a board."""
    return f"b_{_encoded(number)}"


def number_of(name: str) -> int:
    """The row that a board's public id names."""
    number = 0
    for digit in name.removeprefix("b_"):
        number = 32 * number + _DIGITS.index(digit)
    return number


def _encoded(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 32)
        digits = _DIGITS[digit] + digits
    return digits.rjust(6, "0")


async def check_shared(run: Run, place: Place) -> None:
    """Channels that everybody shares: one message for each of a board, numbered without gaps when all are."""
    rows = await place.rows("SELECT channel, number FROM bulletins WHERE kind = 'board'")
    ((results,),) = await place.rows("SELECT count(*) FROM bulletins WHERE kind = 'result'")
    compare_shared(run, [(channel, number) for channel, number in rows], results)


def compare_shared(run: Run, rows: Sequence[tuple[str, int | None]], results: int) -> None:
    """Note what is wrong with the messages ``rows`` to weeks, of so many to boards."""
    run.check(len(rows) == results, len(rows), "messages to weeks for", results, "to boards")
    by_channel: dict[str, list[int]] = {}
    for channel, number in rows:
        by_channel.setdefault(channel, []).extend([] if number is None else [number])
    for channel, numbers in by_channel.items():
        run.check(sorted(numbers) == list(range(1, len(numbers) + 1)), channel, "is numbered with gaps")
