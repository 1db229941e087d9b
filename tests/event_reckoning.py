"""What an event must come to, reckoned straight from what the API tells of its rounds and boards.

It imports nothing of the product. Scores are in hundredths; ``Came`` says who came late or not at all, which
no answer of the API has: whoever holds the event knows it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.bridge import oracle
from tests.web.scoring import VULNERABLE, hundredths, tenth

TAU = (5**0.5 - 1) / 2
WORTH_TWELVE = 1.7228  # IMPs on one board; the margin grows with the root of the number of boards


@dataclass(frozen=True)
class Came:
    """Who did not come in time in a round; everybody else did."""

    late: frozenset[int] = frozenset()
    absent: frozenset[int] = frozenset()


@dataclass
class Mine:
    """What a pair has from a round."""

    kind: str
    score: int
    finished: int
    boards: list[Fraction] = field(default_factory=list)  # each that counts
    empty: bool = False  # by matchpoints, where no board counts

    @property
    def told(self) -> int | None:
        """What the round shows."""
        return None if self.empty else self.score


def points_of(row: Mapping[str, Any], board: int) -> int:
    """Total points for NS of a result as the API gives it."""
    contract = row["contract"]
    if contract == "PASS":
        return 0
    level, strain, risk = int(contract[0]), contract[1], contract[1:].lstrip("CDHSNT")
    vulnerable = VULNERABLE[(board - 1) % 16]
    exposed = vulnerable == "both" or row["declarer"] in vulnerable
    times = {"": 1, "X": 2, "XX": 4}[risk]
    score = oracle.contract_score(level, strain, times, row["tricks"], exposed)
    return score if row["declarer"] in "NS" else -score


def vps(scale: str, margin: Fraction, boards: int) -> int:
    """Victory points of a margin: of 2003 the loser is rounded half up, -2 at least; of 2013 the winner."""
    size = abs(float(margin))
    above = 10 * (1 - TAU ** (size / (5 * boards**0.5))) / (1 - TAU**3)
    if scale == "bethe2003":
        loser = math.floor(100 * (10 - above) + 0.5)
        winner, loser = min(2000 - loser, 2000), max(loser, -200)
    else:
        winner = min(math.floor(100 * (10 + above) + 0.5), 2000)
        loser = 2000 - winner
    return winner if margin >= 0 else loser


def award(rules: Mapping[str, Any], tables: int) -> Fraction:
    """IMPs for a round without opponents."""
    worth = Fraction(math.floor(100 * WORTH_TWELVE * rules["boards"] ** 0.5 + 0.5), 100)
    return worth * max(tables - 1, 0) if by_board(rules) == "total_imp" else worth


def by_board(rules: Mapping[str, Any]) -> str:
    """The method by which single boards are scored."""
    return str(rules["vp_from"] if rules["scoring"] == "vp" else rules["scoring"])


def board_scores(method: str, scores: Sequence[int], tables: int) -> list[Fraction]:
    """What each of these scores of NS is worth for NS against the others; ``tables``: that might have one."""
    found = []
    for i, own in enumerate(scores):
        others = [score for j, score in enumerate(scores) if j != i]
        if method == "matchpoints":
            won = sum(oracle.versus(own - other) for other in others)
            found.append(oracle.neuberg_percent(Fraction(won), len(scores), len(scores)))
        elif method == "datum":
            found.append(Fraction(oracle.imps(own - oracle.datum(scores, tenth(len(scores))))))
        else:
            total = Fraction(sum(oracle.imps(own - other) for other in others))
            found.append(total if method == "total_imp" else total / max(tables - 1, 1))
    return found


def reckoned(
    rules: Mapping[str, Any], told: Mapping[str, Any], boards: Mapping[int, Any], came: Came
) -> dict[int, Mine]:
    """What each pair has from a round; ``told`` of it, and of its ``boards``."""
    count, scoring = rules["boards"], rules["scoring"]
    playing = [each for each in told["tables"] if not {each["ns"], each["ew"]} & came.absent]
    where = {f"R{told['round']}-T{each['table']}": each for each in playing}
    values: dict[int, dict[int, Fraction]] = {
        pair: {} for each in playing for pair in (each["ns"], each["ew"])
    }
    for number, board in boards.items():
        rows = [row for row in board["results"] if row["table"] in where]
        assert len(rows) == len(board["results"]), f"board {number} has a result of a table without players"
        scores = [points_of(row, number) for row in rows]
        assert scores == [row["score"] for row in rows], f"other points on board {number}"
        method = by_board(rules)
        for row, share in zip(rows, board_scores(method, scores, len(playing)), strict=True):
            table = where[row["table"]]
            values[table["ns"]][number] = share
            values[table["ew"]][number] = 100 - share if scoring == "matchpoints" else -share
    worth = award(rules, len(playing))
    found = {}
    for table in told["tables"]:
        for pair, opponents in ((table["ns"], table["ew"]), (table["ew"], table["ns"])):
            if pair in values:
                ours = values[pair]
                found[pair] = _played(rules, ours, worth, pair in came.late, opponents in came.late)
            else:
                absent = pair in came.absent
                found[pair] = _awarded(rules, "absent" if absent else "opponents_absent", worth)
    for pair in told["sit_outs"]:
        found[pair] = _awarded(rules, "sit_out", worth)
    assert all(each.finished <= count for each in found.values())
    return found


def _played(
    rules: Mapping[str, Any], ours: Mapping[int, Fraction], worth: Fraction, late: bool, waited: bool
) -> Mine:
    """A match; for boards not played who came late pays, and who waited is paid unless he was late too."""
    missing, boards = rules["boards"] - len(ours), list(ours.values())
    if late or waited:
        if rules["scoring"] == "matchpoints":
            boards += [Fraction(0 if late else 60)] * missing
        else:
            share = worth / rules["boards"]
            boards += [-share if late else share] * missing
    finished = len(ours) + (missing if waited and not late else 0)
    if rules["scoring"] == "matchpoints":
        score = hundredths(sum(boards, Fraction(0)) / len(boards)) if boards else 0
    elif rules["scoring"] == "vp":
        score = vps(rules["vp_scale"], sum(boards, Fraction(0)), rules["boards"])
    else:
        score = hundredths(sum(boards, Fraction(0)))
    return Mine("played", score, finished, boards, rules["scoring"] == "matchpoints" and not boards)


def _awarded(rules: Mapping[str, Any], kind: str, worth: Fraction) -> Mine:
    lost, count = kind == "absent", rules["boards"]
    finished = 0 if lost else count
    if rules["scoring"] == "vp":
        return Mine(kind, 0 if lost else 1200, finished)
    if rules["scoring"] == "matchpoints":
        percent = Fraction(0 if lost else 60)
        return Mine(kind, hundredths(percent), finished, [percent] * count)
    return Mine(kind, hundredths(-worth if lost else worth), finished)


def total(rules: Mapping[str, Any], rounds: Sequence[Mine]) -> int:
    """A pair's total: its rounds together, or by matchpoints the mean of its boards."""
    if rules["scoring"] != "matchpoints":
        return sum(each.score for each in rounds)
    boards = [value for each in rounds for value in each.boards]
    return hundredths(sum(boards, Fraction(0)) / len(boards)) if boards else 0


def masterpoints(ranked: int) -> list[int]:
    """What the players of each place get, best first: 20 and more pairs a fixed list, else half of them."""
    if ranked >= 20:
        return [3, 2, 2, 2, 1, 1, 1, 1, 1, 1] + [0] * (ranked - 10)
    with_points = max(ranked // 2, 1)
    places = [3 if place == 1 else 2 if place <= 4 else 1 for place in range(1, with_points + 1)]
    return (places + [0] * ranked)[:ranked]
