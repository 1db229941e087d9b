"""``crossruff rate``: what is due, up to a week that is named, twice, at the wrong time, on a terminal."""

import os
import pty
from datetime import UTC, datetime, timedelta

import pytest

from server.bridge.week import week_of
from tests.commands import run_beside
from tests.processes import crossruff
from tests.services.played_weeks import ONE_POOL, ZONE, Played, report

FOURS = [tuple("abcd"), tuple("efgh"), tuple("ijkl")]
NOW = datetime.now(UTC)  # commands run by the real clock
# A week that is over and due whatever day it is today, and the one after it, in which nobody played.
FIRST = week_of(NOW, ZONE).plus(-3)
SECOND = FIRST.plus(1)
THIS = week_of(NOW, ZONE)


@pytest.fixture
async def play(database, clock):
    """An installation in which a board was played in a week that is over."""
    clock.set(FIRST.opens_at(ZONE) + timedelta(days=2))
    played = Played(database, clock, dict(ONE_POOL))
    (board,) = await played.boards(FIRST)
    await played.played(*(report(board, four) for four in FOURS))
    return played


@pytest.fixture
def rate(play, database_url):
    """Runs the command over its database."""
    return lambda *given: run_beside("rate", *given, CROSSRUFF_DATABASE_URL=database_url)


async def test_what_is_due_is_closed_oldest_first(rate):
    done = await rate()
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:2] == [f"{week} imps: revision 1 published, 12 players" for week in (FIRST, SECOND)]
    assert len(lines) in (2, 3)  # on a Monday morning the last week is not due yet
    assert (await rate()).stdout == "nothing is due\n"
    assert f"{FIRST} imps: read" in done.stderr.splitlines()


async def test_a_week_that_was_filled_afterwards_waits_to_be_named(rate, play):
    await rate(str(FIRST))
    play.clock.set(NOW)
    (board,) = await play.boards(SECOND)
    await play.played(*(report(board, four) for four in FOURS))
    told = await rate()
    assert (told.exit_code, told.stdout) == (0, "nothing is due\n")
    assert f"{SECOND} imps: waits, its boards were made when it was over" in told.stderr
    assert (await rate(str(SECOND))).stdout == f"{SECOND} imps: revision 1 published, 12 players\n"


async def test_a_week_is_closed_with_those_before_it(rate):
    done = await rate(str(SECOND))
    expected = [f"{week} imps: revision 1 published, 12 players" for week in (FIRST, SECOND)]
    assert (done.exit_code, done.stdout.splitlines()) == (0, expected), done.stderr
    again = await rate(str(SECOND))
    assert (again.exit_code, again.stdout) == (0, f"{SECOND} imps: revision 1 unchanged, 12 players\n")


async def test_what_changed_since_makes_a_new_revision(rate, play):
    await rate(str(SECOND))
    ((board,),) = await play.rows("SELECT id FROM boards")
    await play.rule(board, 1)
    done = await rate(str(SECOND))
    # The four whose only result is void have nothing to be rated by.
    expected = [f"{week} imps: revision 2 published, 8 players" for week in (FIRST, SECOND)]
    assert done.stdout.splitlines() == expected, done.stderr


async def test_a_week_that_is_not_over_is_refused_with_its_end(rate):
    refused = await rate(str(THIS))
    ends = THIS.closes_at(ZONE).isoformat().replace("+00:00", "Z")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "not over" in refused.stderr
    assert ends in refused.stderr


async def test_a_week_before_the_first_board_is_refused(rate):
    refused = await rate(str(FIRST.plus(-1)))
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert str(FIRST.plus(-1)) in refused.stderr


@pytest.mark.parametrize("text", ["yesterday", "2026-48", "2025-W53", "2026-W00", "2026-W48 ", ""])
async def test_what_is_no_week_is_wrong_usage(rate, text):
    refused = await rate(text)
    assert refused.exit_code == 2
    assert "an ISO week such as 2026-W48" in refused.stderr


async def test_where_nothing_was_installed_nothing_is_made(tmp_path):
    refused = await run_beside("rate", CROSSRUFF_DATA_DIR=str(tmp_path / "none"))
    assert refused.exit_code == 1
    assert not (tmp_path / "none").exists()


@pytest.mark.usefixtures("play")
async def test_on_a_terminal_there_is_a_bar_and_no_plain_lines(database_url):
    leader, follower = pty.openpty()
    try:
        ended = await crossruff("rate", terminal=follower, CROSSRUFF_DATABASE_URL=database_url, TERM="xterm")
        shown = os.read(leader, 65536).decode()
    finally:
        os.close(leader)
        os.close(follower)
    assert ended.out.startswith(f"{FIRST} imps: revision 1 published")
    assert " imps: write " in shown
    assert "━" in shown
    assert f"{FIRST} imps: read\r\n" not in shown
