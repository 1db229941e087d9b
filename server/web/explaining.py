"""An explanation as JSON and in sentences."""

from msgspec import UNSET

from server.bridge.score import ScoreParts
from server.bridge.swiss_scoring import Scoring
from server.bridge.traveller import hundredths
from server.services.event_explain import OfRound
from server.services.explain import Comparison, Explanation
from server.services.explain_week import TableRated
from server.storage.ids import event_id
from server.storage.rulings import Basis, Revision
from server.web import schemas
from server.web.fields import Sides
from server.web.numbers import many
from server.web.rendering import figure, result_detail
from server.web.rendering_explain_week import table_rated
from server.web.schemas_explained import RoundExplained


def explanation(found: Explanation, rated: TableRated | None) -> schemas.Explanation:
    """Every step, as the API gives it."""
    parts = None
    if found.parts is not None and found.vulnerable is not None:
        parts = _parts(found.parts, found.vulnerable)
    award, field = _comparison(found.award), _comparison(found.field)
    sentences = [_contract_sentence(found), *map(_ruling_sentence, found.row.revisions)]
    of_event = found.row.board.week is None
    if award is not None:
        adjusted = ", measured again by a ruling" if found.award_ruled else ""
        sentences.append(f"Award, fixed at arrival{adjusted}: {award.text}")
    elif of_event:
        sentences.append("A board of an event has no award: its round is scored when it is over.")
    if field is not None and found.of_round is not None:
        sentences += _round_sentences(found.of_round, field.text)
    elif field is not None:
        sentences.append(f"Field, moving with every further result: {field.text}")
    elif found.row.result.live and not of_event:
        missing = found.row.board.terms.score_at - len(found.row.board.scores)
        needed = "1 more result is" if missing == 1 else f"{missing} more results are"
        sentences.append(f"Pending: {needed} needed before the board is scored.")
    return schemas.Explanation(
        result=result_detail(found.row, found.view),
        contract_score=parts,
        method=found.row.board.terms.method.value,
        award=award,
        field=field,
        rating=table_rated(rated),
        event=_of_round(found.of_round),
        text=sentences,
    )


def _of_round(found: OfRound | None) -> RoundExplained | None:
    if found is None:
        return None
    return RoundExplained(
        event=event_id(found.event),
        round=found.number,
        scoring=found.scoring,
        by_board=found.by_board,
        tables=found.tables,
        boards=found.boards,
        net=None if found.by_board is Scoring.MATCHPOINTS else figure(hundredths(found.net)),
        artificial=found.artificial,
        score=Sides(figure(found.ns.score), figure(found.ew.score)),
    )


def _round_sentences(found: OfRound, text: str) -> list[str]:
    """What the board gave by the method of the event, and what the round made of it."""
    if found.artificial and found.by_board is Scoring.MATCHPOINTS:
        text += f" That is by Neuberg's formula, as {found.artificial} more had an artificial score."
    sentences = [f"By the method of the event, {_METHODS[found.by_board]}: {text}"]
    ns, ew = figure(found.ns.score), figure(found.ew.score)
    if found.scoring is Scoring.VP:
        net = figure(hundredths(found.net))
        sentences.append(
            f"Round {found.number}: {many(net, 'IMP', sign=True)} for NS over {many(found.boards, 'board')}, "
            f"{ns} to {ew} VPs."
        )
    elif found.scoring is Scoring.MATCHPOINTS:
        sentences.append(f"Round {found.number}: {ns} % for NS and {ew} % for EW over all boards.")
    else:
        both = f"{many(ns, 'IMP', sign=True)} for NS and {ew:+} for EW"
        sentences.append(f"Round {found.number}: {both} over all boards.")
    return sentences


_METHODS = {
    Scoring.CROSS_IMPS: "cross-IMPs",
    Scoring.TOTAL_IMP: "total IMPs",
    Scoring.DATUM: "IMPs against the datum",
    Scoring.MATCHPOINTS: "matchpoints",
}


def _parts(parts: ScoreParts, vulnerable: bool) -> schemas.ScoreParts:
    return schemas.ScoreParts(
        vulnerable=vulnerable,
        trick_points=parts.trick_points,
        overtricks=parts.overtricks,
        insult=parts.insult,
        bonus=parts.bonus,
        slam=parts.slam,
        undertricks=parts.undertricks,
        total=parts.total,
    )


def _contract_sentence(found: Explanation) -> str:
    result = found.row.result
    if found.parts is None:
        return "Passed out: 0 for both sides."
    named = (
        ("tricks bid", found.parts.trick_points),
        ("overtricks", found.parts.overtricks),
        ("insult", found.parts.insult),
        ("game or part-score", found.parts.bonus),
        ("slam", found.parts.slam),
        ("undertricks", found.parts.undertricks),
    )
    sums = ", ".join(f"{words} {points:+d}" for words, points in named if points)
    vulnerable = "vulnerable" if found.vulnerable else "not vulnerable"
    return f"{result.outcome}, {vulnerable}: {sums} = {found.parts.total}; {result.score:+d} for NS."


def _ruling_sentence(ruled: Revision) -> str:
    said = [f"infraction: {ruled.infraction}"] if ruled.infraction else []
    said += [f"damage: {ruled.damage}"] if ruled.damage else []
    why = "; ".join([*said, ruled.reason])
    if not ruled.after.live:
        return f"Ruled void: it counts for nothing ({why})."
    was = f"{ruled.before.outcome} ({ruled.before.score:+d} for NS)"
    ground = "" if ruled.basis is None else _GROUNDS[ruled.basis]
    return f"Adjusted{ground} from {was} to {ruled.after.outcome}: {why}."


_GROUNDS = {
    Basis.DAMAGE: " for damage by an infraction",
    Basis.UNPLAYABLE: " because the board could not be played",
    Basis.SCORE_ERROR: " for an error in the score",
}


def _comparison(found: Comparison | None) -> schemas.Comparison | None:
    if found is None:
        return None
    answer = schemas.Comparison(
        results=len(found.scores),
        scores=list(found.scores),
        score=Sides(figure(found.score.ns), figure(found.score.ew)),
        text=_sentence(found),
    )
    if found.datum is not None:
        answer.dropped = [
            score for score, gone in zip(found.scores, found.datum.dropped, strict=True) if gone
        ]
        answer.kept = found.datum.kept
        answer.kept_total = int(found.datum.kept_total)
        answer.datum = found.datum.value
    answer.difference = UNSET if found.difference is None else found.difference
    answer.imps = UNSET if found.comparisons is None else list(found.comparisons)
    answer.others = UNSET if found.others is None else found.others
    answer.matchpoints = UNSET if found.matchpoints is None else found.matchpoints
    answer.top = UNSET if found.top is None else found.top
    answer.worse = UNSET if found.worse is None else found.worse
    answer.equal = UNSET if found.equal is None else found.equal
    answer.high_card_points = UNSET if found.hcp is None else found.hcp
    answer.imps_of_score = UNSET if found.earned is None else found.earned
    return answer


def _sentence(found: Comparison) -> str:
    score, count = figure(found.score.ns), len(found.scores)
    if found.datum is not None:
        dropped = sum(found.datum.dropped)
        first = found.scores[found.index]
        own = "" if found.own == first else f"the ruled score {found.own:+d} is measured against it: "
        return (
            f"{_kept_sentence(count, dropped, found.datum.kept, int(found.datum.kept_total))} to the nearest "
            f"ten is the datum {found.datum.value}; {own}the difference {found.difference:+d} is "
            f"{many(score, 'IMP', sign=True)} for NS."
        )
    if found.comparisons is not None:
        return _cross_sentence(found.comparisons, found.others, score)
    if found.matchpoints is not None:
        worse, equal = found.worse or 0, found.equal or 0
        return (
            f"2 matchpoints for {_each(worse, 'worse result')}, 1 for {_each(equal, 'equal one')}: "
            f"{found.matchpoints} of {found.top}, {score} %."
        )
    if found.hcp is None or found.earned is None:
        return f"{score:+} for NS."
    return (
        f"the side that scored has {many(found.earned, 'IMP')} for its score and holds "
        f"{many(found.hcp, 'high-card point')}, {found.hcp - 20:+d} from 20: {score:+} for NS."
    )


def _kept_sentence(count: int, dropped: int, kept: int, total: int) -> str:
    """What is left of the results of a board, up to their mean."""
    if count == 1:
        return f"the one result, {total},"
    ends = f"{dropped} are dropped, {dropped // 2} at each end" if dropped else "none is dropped"
    left = (
        f"the one that is left, {total}," if kept == 1 else f"the other {kept} add up to {total}, their mean"
    )
    return f"of {count} results {ends}; {left}"


def _each(count: int, thing: str) -> str:
    """`each of 3 worse results`, `1 worse result`."""
    return many(count, thing) if count == 1 else f"each of {many(count, thing)}"


def _cross_sentence(against: tuple[int, ...], others: int | None, score: float) -> str:
    total = f"IMPs against {many(len(against), 'other')}, {sum(against):+d} in all"
    if others is None:
        return f"{total}."
    if others == len(against):
        return f"{total}: {score:+} each."
    tables = "one other table" if others == 1 else f"{others} other tables"
    return f"{total}, divided by the {tables}, played or not: {score:+}."
