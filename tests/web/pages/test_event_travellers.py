"""Travellers of events: grouped by score with frequencies, and the datum where that is what is scored by."""

import re
from collections import Counter

import pytest

from tests.web.pages.test_events import MINUS, held, page


def groups(text):
    """Scores and frequencies of the groups of a traveller, from top to bottom."""
    found = re.findall('<tbody role="rowgroup" class="group">(.*?)</tbody>', text, re.DOTALL)
    scores = [re.findall('class="number score" data-sort="([^"]*)"', each) for each in found]
    times = [re.findall('class="frequency" data-sort="([^"]*)"', each) for each in found]
    for each, said in zip(scores, times, strict=True):
        assert len(set(each)) == 1
        assert said == [str(len(each)), *["0"] * (len(each) - 1)]
    return [(int(each[0]), len(each)) for each in scores]


def frequencies(text):
    """How often each score is shown, as its bar says too."""
    widths = [int(width) for width in re.findall('<rect width="([0-9]+)" height="10"/>', text)]
    found = dict(groups(text))
    most = max(found.values())
    assert widths == [100 * times // most for times in found.values()]
    return found


@pytest.mark.parametrize("scoring", ["vp", "matchpoints", "cross_imps", "total_imp"])
async def test_equal_scores_are_together_and_counted(server, scoring):
    day = await held(server, scoring)
    for number in range(1, 7):
        text, told = await page(day, f"/boards/{number}"), await day.get(f"boards/{number}")
        scores = [row["score"] for row in told["results"]]
        assert frequencies(text) == Counter(scores)
        assert [score for score, _ in groups(text)] == sorted(set(scores), reverse=True)
        assert 'class="datum"' not in text


async def test_the_datum_is_a_line_where_the_event_is_scored_by_it(server):
    day = await held(server, "datum")
    for number in (1, 2):
        text, told = await page(day, f"/boards/{number}"), await day.get(f"boards/{number}")
        datum = (await day.api.get(f"boards/{told['board']['id']}/traveller")).body["datum"]
        above, line, below = text.partition('class="datum"')
        assert line
        assert f"Datum <b>{str(datum).replace('-', MINUS)}</b>" in below
        assert all(score >= datum for score, _ in groups(above))
        rest = groups(below)
        assert all(score < datum for score, _ in rest)
        assert dict(groups(above)) | dict(rest) == Counter(row["score"] for row in told["results"])
