"""Contract score (Law 77), with each of its parts."""

from dataclasses import dataclass

from server.bridge.contract import Contract, Outcome, Risk, Strain
from server.bridge.seats import Side, Vulnerability

_MULTIPLIER = {Risk.UNDOUBLED: 1, Risk.DOUBLED: 2, Risk.REDOUBLED: 4}
_INSULT = {Risk.UNDOUBLED: 0, Risk.DOUBLED: 50, Risk.REDOUBLED: 100}


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """Parts of one contract score in total points, from declarer's side; they add up to ``total``."""

    trick_points: int = 0  # odd tricks bid and made, doubled or redoubled
    overtricks: int = 0
    insult: int = 0  # for making a doubled or redoubled contract
    bonus: int = 0  # game or part-score
    slam: int = 0
    undertricks: int = 0  # negative

    @property
    def total(self) -> int:
        """The contract score for declarer's side."""
        return self.trick_points + self.overtricks + self.insult + self.bonus + self.slam + self.undertricks


def score_parts(contract: Contract, tricks: int, vulnerable: bool) -> ScoreParts:
    """Law 77 for a contract played to ``tricks`` tricks (0-13), by the vulnerability of declarer's side."""
    over = tricks - contract.tricks_needed
    if over < 0:
        return ScoreParts(undertricks=-_undertricks(-over, contract.risk, vulnerable))
    # 1NT = 40: the first odd trick in notrump is worth 40, each further one 30.
    first, each = _trick_values(contract.strain)
    points = (first + each * (contract.level - 1)) * _MULTIPLIER[contract.risk]
    return ScoreParts(
        trick_points=points,
        overtricks=over * _overtrick(each, contract.risk, vulnerable),
        insult=_INSULT[contract.risk],
        bonus=(500 if vulnerable else 300) if points >= 100 else 50,
        slam=_slam(contract.level, vulnerable),
    )


def score_ns(outcome: Outcome, vulnerability: Vulnerability) -> int:
    """Contract score in total points, signed for North-South; 0 when passed out."""
    if outcome.contract is None or outcome.declarer is None or outcome.tricks is None:
        return 0
    side = outcome.declarer.side
    score = score_parts(outcome.contract, outcome.tricks, vulnerability.includes(side)).total
    return score if side is Side.NS else -score


def _trick_values(strain: Strain) -> tuple[int, int]:
    if strain is Strain.NOTRUMP:
        return 40, 30
    each = 20 if strain in (Strain.CLUBS, Strain.DIAMONDS) else 30
    return each, each


def _overtrick(trick_value: int, risk: Risk, vulnerable: bool) -> int:
    if risk is Risk.UNDOUBLED:
        return trick_value
    return 50 * _MULTIPLIER[risk] * (2 if vulnerable else 1)


def _slam(level: int, vulnerable: bool) -> int:
    if level < 6:
        return 0
    return (500 if level == 6 else 1000) * (3 if vulnerable else 2) // 2


def _undertricks(down: int, risk: Risk, vulnerable: bool) -> int:
    if risk is Risk.UNDOUBLED:
        return down * (100 if vulnerable else 50)
    # Doubled: vulnerable 200, then 300 each; not vulnerable 100, 200, 200, then 300 each.
    first, then = (300 * down - 100, 0) if vulnerable else (200 * down - 100, 100 * max(0, down - 3))
    doubled = first + then
    return doubled * _MULTIPLIER[risk] // 2
