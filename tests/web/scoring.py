"""What a board must come to, computed from the contracts alone: random results, a judge of the answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from tests.bridge import oracle

_CIRCLE = "none NS EW both NS EW both none EW both none NS both none NS EW"
VULNERABLE = tuple(_CIRCLE.split(" "))
"""By board number, from 1; again after 16."""
_POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}
_MARGINS = (-9, -6, -5, -4, -3, -2, -2, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 4)


def random_outcome(rng: Random, number: int) -> tuple[dict[str, Any], int]:
    """Contract, declarer and tricks of a table on board ``number``, and the score for NS."""
    if rng.random() < 0.06:
        return {"contract": "PASS", "declarer": None, "tricks": None}, 0
    level, strain, declarer = rng.randint(1, 7), rng.choice("CDHSN"), rng.choice("NESW")
    risk = rng.choices(["", "X", "XX"], [80, 17, 3])[0]
    tricks = max(0, min(13, level + 6 + rng.choice(_MARGINS)))
    vulnerable = VULNERABLE[(number - 1) % 16]
    exposed = vulnerable == "both" or declarer in vulnerable
    score = oracle.contract_score(level, strain, {"": 1, "X": 2, "XX": 4}[risk], tricks, exposed)
    contract = f"{level}{'NT' if strain == 'N' else strain}{risk}"
    members = {"contract": contract, "declarer": declarer, "tricks": tricks}
    return members, score if declarer in "NS" else -score


def points_of_ns(deal: str) -> int:
    """High-card points of NS in a deal such as ``N:AK2.… … … …``."""
    first, _, cards = deal.partition(":")
    hands = dict(zip("NESWNES"["NESW".index(first) :], cards.split(), strict=False))
    return sum(_POINTS.get(card, 0) for seat in "NS" for card in hands[seat])


def tenth(results: int) -> int:
    """How many results the datum leaves out at each end."""
    return 0 if results < 4 else -(-results // 10)


def hundredths(value: Fraction) -> int:
    """In hundredths, halves away from zero."""
    size = (abs(value) * 200 + 1) // 2
    return int(size if value > 0 else -size)


def shown(sides: Any, east_west: str = "ew") -> tuple[int, int]:
    """Both figures of a JSON object, in hundredths."""
    ns, ew = ("ns_percent", "ew_percent") if east_west == "ew_percent" else ("ns", "ew")
    assert set(sides) == {ns, ew}
    figures = round(sides[ns] * 100), round(sides[ew] * 100)
    assert max(abs(sides[ns] * 100 - figures[0]), abs(sides[ew] * 100 - figures[1])) < 1e-6
    return figures


@dataclass(frozen=True)
class Judge:
    """The rules of a pool, applied again."""

    method: str
    score_at: int = 6
    retire_at: int | None = 40
    ns_points: int = 20

    def datum(self, scores: Sequence[int]) -> int | None:
        """The datum that the API shows for these results."""
        if len(scores) < self.score_at or self.method == "hcp_compensation":
            return None
        return oracle.datum(scores, tenth(len(scores)))

    def state(self, results: int) -> str:
        """Of the board with so many results."""
        if results == self.retire_at:
            return "retired"
        return "scoring" if results >= self.score_at else "pending"

    def score(self, scores: Sequence[int], index: int) -> tuple[int, int]:
        """What one result is worth against all these, for NS and EW in hundredths."""
        if self.method == "matchpoints":
            return percentage(scores, index)
        ns = {"datum": _datum_imps, "cross_imps": cross_imps}.get(self.method, self._compensated)
        found = ns(scores, index)
        return found, -found

    def award(self, scores: Sequence[int], index: int) -> tuple[int, int] | None:
        """The award of a result: fixed by the results that were there when it was given."""
        known = max(self.score_at, index + 1)
        return None if len(scores) < self.score_at else self.score(scores[:known], index)

    def field(self, scores: Sequence[int], index: int) -> tuple[int, int] | None:
        """The field score of a result among all."""
        return None if len(scores) < self.score_at else self.score(scores, index)

    def _compensated(self, scores: Sequence[int], index: int) -> int:
        own = scores[index]
        sign = (own > 0) - (own < 0)
        return 100 * (oracle.imps(own) - abs(sign) * (self.ns_points - 20))


def _datum_imps(scores: Sequence[int], index: int) -> int:
    return 100 * oracle.imps(scores[index] - oracle.datum(scores, tenth(len(scores))))


def cross_imps(scores: Sequence[int], index: int) -> int:
    """IMPs per comparison for NS, in hundredths."""
    total = sum(oracle.imps(scores[index] - other) for other in scores)
    return hundredths(Fraction(total, len(scores) - 1)) if len(scores) > 1 else 0


def percentage(scores: Sequence[int], index: int) -> tuple[int, int]:
    """Matchpoint percentages of both sides, in hundredths."""
    points = Fraction(sum(oracle.versus(scores[index] - other) for other in scores) - 1)
    share = oracle.neuberg_percent(points, len(scores), len(scores))
    ns = 5000 + hundredths(share - 50)
    return ns, 10000 - ns


def dropped(scores: Sequence[int]) -> list[int]:
    """What the datum leaves out, lowest first."""
    ordered, count = sorted(scores), tenth(len(scores))
    return ordered[:count] + ordered[len(ordered) - count :]


def check_row(judge: Judge, row: dict[str, Any], scores: Sequence[int], index: int) -> None:
    """Hold a row of a traveller against the rules."""
    scored = len(scores) >= judge.score_at
    assert row["sequence"] == index + 1
    assert row["score"] == scores[index]
    assert row["state"] == ("scored" if scored else "pending")
    assert (row["rated"], row["reason"]) == ((True, None) if scored else (False, "pending"))
    figures = [row[name] for name in ("award", "field", "datum_imps", "cross_imps", "matchpoints", "dropped")]
    if not scored:
        assert figures == [None] * 6
        return
    award, field, against, cross, matchpoints, _ = figures
    assert shown(award) == judge.award(scores, index)
    assert shown(field) == judge.field(scores, index)
    imps = _datum_imps(scores, index)
    assert shown(against) == (imps, -imps)
    assert shown(cross) == (cross_imps(scores, index), -cross_imps(scores, index))
    assert shown(matchpoints, "ew_percent") == percentage(scores, index)


def check_traveller(judge: Judge, body: dict[str, Any], scores: Sequence[int]) -> None:
    """Hold a whole traveller against the rules."""
    rows = body["results"]
    assert len(rows) == body["board"]["results"] == len(scores)
    assert body["board"]["state"] == judge.state(len(scores))
    assert body["datum"] == judge.datum(scores)
    for index, row in enumerate(rows):
        check_row(judge, row, scores, index)
    if len(scores) >= judge.score_at:
        assert sorted(row["score"] for row in rows if row["dropped"]) == dropped(scores)


def check_accepted(judge: Judge, body: dict[str, Any], scores: Sequence[int]) -> None:
    """Hold the answer to the last of these results against the rules."""
    count = len(scores)
    scored = count >= judge.score_at
    assert body["sequence"] == body["board"]["results"] == count
    assert body["board"]["state"] == judge.state(count)
    assert body["score"] == scores[-1]
    assert body["datum"] == judge.datum(scores)
    assert body["version"] == 1
    assert body["award"] == body["field"]
    if scored:
        assert shown(body["award"]) == judge.award(scores, count - 1)
    else:
        assert body["award"] is None
    expected = ("scored", True, None) if scored else ("pending", False, "pending")
    assert (body["state"], body["rated"], body["reason"]) == expected
