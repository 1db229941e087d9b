"""Named hypothesis strategies, shared by the tests of all floors."""

from datetime import UTC, datetime
from fractions import Fraction
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from server.bridge.adjustments import Artificial, Average, Entry, NotPlayed, Played, Split, Weighted
from server.bridge.contract import PASSED_OUT, Contract, Outcome, Risk, Strain
from server.bridge.datum import ACBLSCORE, COMPSCORE, TENTH, UNTRIMMED, parse_schedule
from server.bridge.deal import RANKS, SUITS, Deal
from server.bridge.score import score_ns
from server.bridge.seats import Seat, Vulnerability
from server.bridge.week import Week, week_of

seats = st.sampled_from(Seat)
vulnerabilities = st.sampled_from(Vulnerability)
contracts = st.builds(Contract, st.integers(1, 7), st.sampled_from(Strain), st.sampled_from(Risk))
played_outcomes = st.builds(Outcome, contracts, seats, st.integers(0, 13))
outcomes = st.just(PASSED_OUT) | played_outcomes

COMMON_SCORES = (0, 50, -50, 100, -100, 110, 140, 170, 420, 450, 620, 650, -620, 1430, -1100)
scores = st.sampled_from(COMMON_SCORES) | st.builds(score_ns, outcomes, vulnerabilities)
"""Total points for NS as they really occur: often the same ones, sometimes anything that Law 77 allows."""


def fields(min_size: int = 1, max_size: int = 40) -> st.SearchStrategy[list[int]]:
    """The scores of one board."""
    return st.lists(scores, min_size=min_size, max_size=max_size)


full_boards = fields(40, 40)
trim_schedules = st.sampled_from(
    [TENTH, COMPSCORE, ACBLSCORE, UNTRIMMED, parse_schedule("4:1 11:2 21:3"), parse_schedule("3:1 5:2")]
)


@st.composite
def weighted_scores(draw: st.DrawFn) -> Weighted:
    """Weighted adjusted scores of one to four outcomes."""
    shares = draw(st.lists(st.integers(1, 9), min_size=1, max_size=4))
    return Weighted(tuple((Fraction(share, sum(shares)), draw(scores)) for share in shares))


played = st.builds(Played, scores)
averages = st.sampled_from(Average)
artificial_scores = st.builds(Artificial, averages, averages)
assigned_parts = played | weighted_scores()
split_scores = st.builds(Split, assigned_parts | averages, assigned_parts | averages)
balanced_entries: st.SearchStrategy[Entry] = played | weighted_scores() | st.builds(NotPlayed)
entries: st.SearchStrategy[Entry] = balanced_entries | artificial_scores | split_scores
uneven_boards = st.lists(entries, min_size=1, max_size=16)
balanced_boards = st.lists(balanced_entries, min_size=1, max_size=16)

PACK = tuple(suit + rank for suit in SUITS for rank in RANKS)
deals = st.permutations(PACK).map(
    lambda cards: Deal(tuple(frozenset(cards[13 * i : 13 * i + 13]) for i in range(4)))
)

ZONE_NAMES = (
    "Asia/Shanghai",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "UTC",
)
zones = st.sampled_from(ZONE_NAMES).map(ZoneInfo)
instants = st.datetimes(datetime(1950, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
weeks: st.SearchStrategy[Week] = st.builds(week_of, instants, zones)
