"""The scorecard of a pair: every board in order, what it brought, and the running total."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from aiohttp import web

from server.bridge.contract import Contract
from server.bridge.swiss_round import BoardScore, RoundScore, event_total
from server.bridge.swiss_scoring import Scoring, ScoringRules
from server.bridge.traveller import hundredths
from server.services import event_views
from server.services.event_errors import EntryNotFound
from server.services.event_explain import round_sum
from server.services.event_field import Field
from server.services.event_views import CardResults
from server.storage.event_rounds import Match
from server.storage.results import Result
from server.web import rendering_events
from server.web.pages.event_awards import Award, award, tables_of
from server.web.pages.event_heads import Pair, head, pair, part
from server.web.pages.visits import PUBLIC, Visit
from server.web.pages.vp_formulas import Worked, worked
from server.web.rendering import figure
from server.web.schemas_rounds import CardRound


@dataclass(frozen=True, slots=True)
class Shown:
    """What a table did on a board, as the pair sees it."""

    contract: Contract | None  # None: passed out
    declarer: str | None
    over: int | None  # tricks above what was bid
    tricks: int | None
    lead: str | None
    score: int  # total points for the pair


@dataclass(frozen=True, slots=True)
class Line:
    """A board on the card."""

    number: int
    shown: Shown | None  # None: not played
    value: float | None  # from the board: IMPs or per cent
    running: float | None  # so far: of the event, or where rounds become VPs of the round
    artificial: str | None = None  # A+, A or A-: awarded, not compared


@dataclass(frozen=True, slots=True)
class Played:
    """A round on the card."""

    told: CardRound  # as the API gives it
    opponents: Pair | None
    lines: tuple[Line, ...]
    total: float  # of the event, after this round
    worked: Worked | None  # how its IMPs became victory points
    award: Award | None  # what was given for a round that was not played


@dataclass(frozen=True, slots=True)
class Next:
    """A round that has begun and is not scored."""

    round: int
    table: int | None  # None: the pair sits out
    side: str | None
    opponents: Pair | None


async def get(visit: Visit) -> web.Response:
    """The card of a pair. Raises EventNotFound, EntryNotFound."""
    found, number = await head(visit), part(visit, "entry", EntryNotFound)
    services = visit.services
    named = (found.event.id, number)
    view = await event_views.card(services.database, named, PUBLIC, services.secrecy, visit.now)
    field, card = view.card.view, view.card
    told = rendering_events.scorecard(card)
    people = {each.number: pair(each, field.people) for each in field.field.entries}
    return await visit.large_page(
        "event_card.html",
        head=found,
        follows=found.follows,
        card=told,
        pair=people[number],
        rounds=_rounds(view, told.rounds, people),
        following=_next(field.field, number, people),
        deduction=figure(field.field.deduction(number)),
        withdrawn=card.entry.withdrawn_at is not None,
        open=field.open,
        by_board=found.rules.scores.by_board.value,
    )


def _rounds(view: CardResults, told: Iterable[CardRound], people: Mapping[int, Pair]) -> list[Played]:
    field, number = view.card.view.field, view.card.entry.number
    rules, scores = field.event.rules.scores, field.scores.get(number, {})
    before: list[RoundScore] = []
    running = _Running(rules.scoring)
    shown = []
    for each in told:
        score = scores[each.round]
        running.begin(score)
        lines = tuple(
            _line(board, one, view.results.get(board), each.side, running)
            for board, one in sorted(score.boards.items())
        )
        before.append(score)
        opponents = None if each.opponents is None else people[each.opponents]
        total = figure(event_total(rules, before))
        given = award(rules, score, tables_of(field.scores, each.round))
        shown.append(Played(each, opponents, lines, total, _worked(rules, score), given))
    return shown


def _worked(rules: ScoringRules, score: RoundScore) -> Worked | None:
    """How the IMPs of a round became victory points; None where it was awarded, or is scored otherwise."""
    found = round_sum(score)
    if found is None or rules.scoring is not Scoring.VP:
        return None
    return worked(rules.vp_scale, found.margin, rules.boards)


class _Running:
    """What a pair has so far, board by board; exact, as rounds are rounded only as a whole."""

    def __init__(self, scoring: Scoring) -> None:
        self._scoring = scoring
        self._sum = Fraction(0)
        self._boards = 0

    def begin(self, score: RoundScore) -> None:
        """A round follows; one without boards is awarded as a whole."""
        if self._scoring is Scoring.VP:
            self._sum, self._boards = Fraction(0), 0
        elif not score.boards:
            self._sum += Fraction(score.score, 100)

    def add(self, value: Fraction) -> float:
        """A board follows; what there is then."""
        self._sum += value
        self._boards += 1
        mean = self._scoring is Scoring.MATCHPOINTS
        return figure(hundredths(self._sum / self._boards if mean else self._sum))


def _line(number: int, score: BoardScore, result: Result | None, side: str | None, running: _Running) -> Line:
    if score.value is None:
        return Line(number, shown(result, side), None, None)
    value, artificial = figure(hundredths(score.value)), score.artificial
    awarded = None if artificial is None else artificial.value
    return Line(number, shown(result, side), value, running.add(score.value), awarded)


def shown(result: Result | None, side: str | None) -> Shown | None:
    """What a table did, as the pair on that side sees it."""
    if result is None:
        return None
    outcome = result.outcome
    over = None
    if outcome.contract is not None and outcome.tricks is not None:
        over = outcome.tricks - outcome.contract.tricks_needed
    return Shown(
        outcome.contract,
        None if outcome.declarer is None else outcome.declarer.value,
        over,
        outcome.tricks,
        result.lead,
        -result.score if side == "EW" else result.score,
    )


def _next(field: Field, number: int, people: Mapping[int, Pair]) -> Next | None:
    """The round that the pair is in now."""
    for each in field.rounds:
        if each.started_at is None or each.scored_at is not None:
            continue
        if number in each.sit_outs:
            return Next(each.number, None, None, None)
        for match in field.matches:
            if match.round == each.number and number in (match.ns, match.ew):
                return _against(match, number, people)
    return None


def _against(match: Match, number: int, people: Mapping[int, Pair]) -> Next:
    ns = match.ns == number
    return Next(match.round, match.table, "NS" if ns else "EW", people[match.ew if ns else match.ns])
