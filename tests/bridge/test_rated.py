"""Which results count for the ratings, and why the others do not."""

from dataclasses import replace

import pytest

from server.bridge.rated import NotRated, Standing, not_rated, not_rated_for

ORDINARY = Standing(
    live=True,
    weekly=True,
    withdrawn=False,
    adjusted=False,
    fouled=False,
    results=6,
    score_at=6,
    late=False,
    week_over=True,
)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, None),
        ({"results": 40, "week_over": False}, None),
        ({"fouled": True}, None),
        ({"live": False}, NotRated.VOID),
        ({"weekly": False}, NotRated.EVENT),
        ({"withdrawn": True}, NotRated.WITHDRAWN),
        ({"adjusted": True}, NotRated.ADJUSTED),
        ({"late": True}, NotRated.LATE),
        ({"results": 5}, NotRated.TOO_FEW_RESULTS),
        ({"results": 5, "week_over": False}, NotRated.PENDING),
        ({"results": 5, "fouled": True}, NotRated.FOULED_GROUP),
        ({"results": 1, "score_at": 1}, None),
        ({"live": False, "late": True, "results": 5}, NotRated.VOID),
        ({"late": True, "results": 5}, NotRated.LATE),
    ],
)
def test_the_weightiest_reason(changes, reason):
    standing = replace(ORDINARY, **changes)
    assert not_rated(standing) == reason
    assert not_rated_for(reason, substitute=False, newcomer=False, newcomer_at_table=False) == reason


@pytest.mark.parametrize(
    ("substitute", "newcomer", "at_table", "reason"),
    [
        (True, False, False, NotRated.SUBSTITUTE),
        (True, False, True, NotRated.SUBSTITUTE),
        (False, False, True, NotRated.NEWCOMER_AT_TABLE),
        (False, True, True, None),
        (False, False, False, None),
    ],
)
def test_the_same_result_may_count_for_some(substitute, newcomer, at_table, reason):
    assert not_rated_for(None, substitute, newcomer, at_table) == reason
    assert not_rated_for(NotRated.VOID, substitute, newcomer, at_table) == NotRated.VOID


def test_reasons_are_the_codes_that_players_see():
    assert {str(each) for each in NotRated} == {
        *("void", "event", "withdrawn", "adjusted", "fouled-group", "late", "pending"),
        *("too-few-results", "substitute", "newcomer-at-table"),
    }
