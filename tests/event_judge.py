"""Judges an event that was held: every round, and what it came to at the end.

``judge`` reads the event once it is over, reckons it again (`tests.event_reckoning`) and has
`tests.bridge.swiss_checker` look at each round; whatever is wrong raises an error that names the seed.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from tests.bridge import swiss_checker
from tests.bridge.swiss_checker import Fault, Log, LoggedRound
from tests.event_reckoning import Came, Mine, masterpoints, reckoned, total
from tests.event_story import Diary

NEVER = datetime.max.replace(tzinfo=UTC)


class Reading(Protocol):
    """Reads an event."""

    async def read(self, event: str, path: str) -> Any:
        """What everybody may read below the event."""
        ...


class Judged:
    """An event that is over, as the API tells it."""

    def __init__(self, diary: Diary, seed: int) -> None:
        self.diary, self.rules = diary, diary.rules
        self.log = Log(seed, self.rules["rounds"], self.rules["boards"], band=self.rules["band"])
        self.players: dict[int, list[str]] = {}
        self.rounds: list[dict[str, Any]] = []
        self.scores: dict[int, list[Mine]] = {}

    def demand(self, holds: object, *words: object) -> None:
        """Raise a Fault unless it holds."""
        if not holds:
            raise Fault(f"seed {self.log.seed}: {' '.join(map(str, words))}")

    def before(self, instant: datetime) -> int:
        """The last round that had begun at an instant; 0: none had."""
        return sum(datetime.fromisoformat(each["started_at"]) <= instant for each in self.rounds)


async def judge(hands: Reading, diary: Diary, seed: int) -> Log:
    """Raise Fault at the first thing that is wrong; else what happened."""
    judged = Judged(diary, seed)
    event = await hands.read(diary.id, "")
    await _read_field(hands, judged)
    if event["state"] == "cancelled":
        judged.demand(len(judged.players) < 2, "it was called off for nothing")
        return judged.log
    for number in range(1, len(diary.rounds) + 1):
        judged.rounds.append(await hands.read(diary.id, f"rounds/{number}"))
    _note_comings_and_goings(judged)
    for told in judged.rounds:
        _judge_round(judged, told, await _boards(hands, judged, told))
    await _judge_end(hands, judged)
    swiss_checker.check(judged.log)
    return judged.log


async def _read_field(hands: Reading, judged: Judged) -> None:
    """Who is entered, in the order in which they have completed, with numbers that are not given twice."""
    rows = (await hands.read(judged.diary.id, "entries"))["entries"]
    judged.players = {row["entry"]: row["players"] for row in rows}
    judged.log.first_rounds = {row["entry"]: row["first_round"] for row in rows}
    found = [frozenset(row["players"]) for row in rows]
    judged.demand(found == judged.diary.registered, "others are entered:", found, judged.diary.registered)
    whole = len(rows) + judged.diary.cancelled
    judged.demand(list(judged.players) == sorted(judged.players), "numbers are in order")
    judged.demand(all(number <= whole for number in judged.players), "a number too many")
    judged.demand(not rows or judged.diary.cancelled or min(judged.players) == 1, "the first has number 1")


def _note_comings_and_goings(judged: Judged) -> None:
    log, diary = judged.log, judged.diary
    log.withdrawn_after = {pair: judged.before(at) for pair, at in diary.withdrawn.items()}
    log.ready_before = {(pair, judged.before(at) + 1) for pair, at in diary.ready}


async def _boards(hands: Reading, judged: Judged, told: Mapping[str, Any]) -> dict[int, Any]:
    """The boards of a round; on them are the results that were taken, and no others."""
    numbers = [board["number"] for board in told["boards"]]
    boards = {number: await hands.read(judged.diary.id, f"boards/{number}") for number in numbers}
    first = (told["round"] - 1) * judged.rules["boards"] + 1
    judged.demand(numbers == list(range(first, first + judged.rules["boards"])), "other boards")
    shown = {
        (told["round"], int(row["table"].partition("-T")[2]), number): _members(row)
        for number, board in boards.items()
        for row in board["results"]
    }
    taken = {key: _members(body) for key, body in judged.diary.reported.items() if key[0] == told["round"]}
    judged.demand(shown == taken, f"round {told['round']}: other results:", shown, taken)
    return boards


def _members(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in ("contract", "declarer", "tricks"))


def _came(judged: Judged, told: Mapping[str, Any]) -> Came:
    """Who came late or not at all: both are there, or a result says that all four were."""
    number = told["round"]
    rules = judged.rules
    appear_by = _moment_of_play(judged, told, rules["absent_s"])
    playable = max(_moment_of_play(judged, told, rules["round_s"] - rules["last_board_s"]), appear_by)
    late, absent = set(), set()
    for table in told["tables"]:
        result = any(key[:2] == (number, table["table"]) for key in judged.diary.reported)
        for pair in (table["ns"], table["ew"]):
            otherwise = appear_by if result else NEVER
            arrived = judged.diary.arrived
            there = max(arrived.get((number, player), otherwise) for player in judged.players[pair])
            if there > appear_by:
                (late if result or there <= playable else absent).add(pair)
    return Came(frozenset(late), frozenset(absent))


def _moment_of_play(judged: Judged, told: Mapping[str, Any], seconds: float) -> datetime:
    """When so much of a round had been played: the clock stands in pauses."""
    at = datetime.fromisoformat(told["started_at"])
    left = timedelta(seconds=seconds)
    for since, until in judged.diary.pauses:
        if at <= since <= at + left:
            at, left = until, left - (since - at)
    return at + left


def _judge_round(judged: Judged, told: Mapping[str, Any], boards: Mapping[int, Any]) -> None:
    """Note a round for the checker, in the order that follows from what was reckoned before it."""
    number, log = told["round"], judged.log
    came = _came(judged, told)
    order = _order(judged, told)
    place = {pair: rank for rank, pair in enumerate(order)}
    named = [(table["ns"], table["ew"]) for table in told["tables"]]
    judged.demand(
        set(sum(named, ())) | set(told["sit_outs"]) <= set(order),
        f"round {number}: of {order} play",
        named,
        told["sit_outs"],
    )
    matches = [(a, b) if place[a] < place[b] else (b, a) for a, b in named]
    _judge_hand(judged, told, matches)
    played = {
        match
        for match, table in zip(matches, told["tables"], strict=True)
        if any(key[:2] == (number, table["table"]) for key in judged.diary.reported)
    }
    mine = reckoned(judged.rules, told, boards, came)
    for table in told["tables"]:
        shown = (None, None) if table["score"] is None else (table["score"]["ns"], table["score"]["ew"])
        judged.demand(
            tuple(map(_hundredths, shown)) == (mine[table["ns"]].told, mine[table["ew"]].told),
            f"round {number}, table {table['table']}: {shown}, not",
            mine[table["ns"]],
            mine[table["ew"]],
        )
    for pair, each in mine.items():
        judged.scores.setdefault(pair, []).append(each)
    after = judged.rounds[number]["started_at"] if number < len(judged.rounds) else None
    scores = {
        pair: (_total(judged, pair, after), sum(each.finished for each in rounds))
        for pair, rounds in judged.scores.items()
    }
    sit_outs, absent = list(told["sit_outs"]), set(came.absent)
    log.rounds.append(
        LoggedRound(number, order, matches, sit_outs, named, absent, played, scores, told["by_hand"])
    )
    _judge_seats(judged, told, matches)


def _hundredths(figure: float | None) -> int | None:
    return None if figure is None else round(100 * figure)


def _total(judged: Judged, pair: int, before: str | None) -> int:
    """With what was taken off before an instant; None: with all of it."""
    off = sum(
        amount
        for entry, amount, at in judged.diary.deducted
        if entry == pair and (before is None or at < datetime.fromisoformat(before))
    )
    return total(judged.rules, judged.scores.get(pair, [])) - off


def _order(judged: Judged, told: Mapping[str, Any]) -> list[int]:
    """Who should play, best first: who never played and came late is below everybody."""
    number, log = told["round"], judged.log
    field = swiss_checker.expected(log, log.rounds, number)
    scores = log.rounds[-1].scores if log.rounds else {}

    def key(pair: int) -> tuple[Any, ...]:
        points, boards = scores.get(pair, (0, 0))
        return (pair not in scores and log.first_rounds[pair] > 1, -points, -boards, pair)

    return sorted(field, key=key)


def _judge_hand(judged: Judged, told: Mapping[str, Any], matches: list[tuple[int, int]]) -> None:
    """A round that a director wanted is as he wanted it as long as the same pairs play."""
    wanted = judged.diary.by_hand.get(told["round"])
    field = {pair for match in matches for pair in match} | set(told["sit_outs"])
    named = (
        set()
        if wanted is None
        else {pair for match in (*wanted["matches"], wanted["sit_outs"]) for pair in match}
    )
    judged.demand(told["by_hand"] == (named == field), f"round {told['round']}: by hand, or not")
    if told["by_hand"] and wanted is not None:
        met = {frozenset(match) for match in wanted["matches"]}
        judged.demand({frozenset(match) for match in matches} == met, "others meet than the director wanted")
        judged.demand(told["sit_outs"] == wanted["sit_outs"], "others sit out than the director wanted")


def _judge_seats(judged: Judged, told: Mapping[str, Any], matches: list[tuple[int, int]]) -> None:
    """Tables 1, 2, 5, 6, 9 … have the higher ranked as NS; the lower ranked sits down first."""
    numbers = [table["table"] for table in told["tables"]]
    judged.demand(numbers == list(range(1, len(numbers) + 1)), "tables are not numbered from 1")
    draw = told["round"] == 1 and judged.rules["first_round"] == "seeded_draw"
    for table, (higher, lower) in zip(told["tables"], matches, strict=True):
        if judged.rules["seating"] == "table_rule" and not draw:
            north = table["ns"] == higher
            judged.demand(north == (table["table"] % 4 in (1, 2)), f"seats of {table}")
        if not draw:
            judged.demand(table["sits_first"] == lower, f"{table}: the lower ranked sits first")
    if told["round"] == 1 and not told["by_hand"]:
        _judge_first_round(judged, told, matches, draw)


def _judge_first_round(
    judged: Judged, told: Mapping[str, Any], matches: list[tuple[int, int]], draw: bool
) -> None:
    """In order of registration, the last sits out; in a draw seeded pairs meet only where they must."""
    field = sorted(pair for pair, first in judged.log.first_rounds.items() if first == 1)
    if not draw:
        judged.demand(matches == list(zip(field[::2], field[1::2], strict=False)), "others meet in round 1")
        judged.demand(told["sit_outs"] == (field[-1:] if len(field) % 2 else []), "another sits out first")
        return
    seeded = {pair for pair in field if set(judged.players[pair]) & set(judged.diary.seeds)}
    playing = [pair for match in matches for pair in match]
    surplus = len(seeded & set(playing)) - len(set(playing) - seeded)
    judged.demand(
        sum({a, b} <= seeded for a, b in matches) == max(surplus, 0) // 2, "seeded pairs meet in round 1"
    )
    if told["sit_outs"] and set(field) - seeded:
        judged.demand(not set(told["sit_outs"]) & seeded, "a seeded pair sits out first")


async def _judge_end(hands: Reading, judged: Judged) -> None:
    """Final order, totals, boards, rounds, master points; and one scorecard in full."""
    standings = await hands.read(judged.diary.id, "standings")
    judged.demand(
        standings["state"] == "finished" and standings["scored_rounds"] == len(judged.rounds), "end"
    )
    if len(judged.rounds) < judged.rules["rounds"]:
        left = swiss_checker.expected(judged.log, judged.log.rounds, len(judged.rounds) + 1)
        judged.demand(len(left) < 2, f"it ended although {left} could go on")
    rows = standings["rows"]
    judged.log.final = [(row["entry"], row["rank"]) for row in rows]
    given = masterpoints(sum(row["rank"] is not None for row in rows))
    for row in rows:
        pair = row["entry"]
        rounds = judged.scores.get(pair, [])
        judged.demand(row["players"] == judged.players[pair], f"players of {pair}")
        judged.demand(round(100 * row["score"]) == _total(judged, pair, None), f"another total: {row}")
        judged.demand(row["boards"] == sum(each.finished for each in rounds), f"other boards: {row}")
        shown = [round(100 * each) for each in row["rounds"] if each is not None]
        judged.demand(
            shown == [each.score for each in rounds if not each.empty], f"other rounds: {row}, not {rounds}"
        )
        points = 0 if row["rank"] is None else given[row["rank"] - 1]
        judged.demand(row["masterpoints"] in (points, points or None), f"other master points: {row}")
    for pair in judged.players:
        card = await hands.read(judged.diary.id, f"entries/{pair}")
        shown = [(each["kind"], _hundredths(each["score"]), each["finished"]) for each in card["rounds"]]
        mine = [(each.kind, each.told, each.finished) for each in judged.scores.get(pair, [])]
        judged.demand(shown == mine, f"the card of {pair} has {shown}, not {mine}")
