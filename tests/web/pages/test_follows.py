"""What pages follow, and copies for those who read a page again at the same moment."""

import asyncio
import gzip
import re

import pytest
from aiohttp import web

from server.services import bulletins
from server.web.pages import follows
from server.web.pages.follows import FOLLOWS, HEADER, Copies, Follows, asked
from tests import factories
from tests.web.page import read


class Asked:
    """As much of a request as copies look at."""

    def __init__(self, seen="", path="/en/", packs=True):
        self.headers = {HEADER: seen} if seen else {}
        self.headers |= {"Accept-Encoding": "gzip"} if packs else {}
        self.path_qs = path


class Made:
    """A page that says how often it was made; ``position``: how far the board is that it follows."""

    def __init__(self, position=5, status=200):
        self.times, self.position, self.status, self.delay = 0, position, status, 0.0

    async def __call__(self):
        self.times += 1
        position = self.position
        await asyncio.sleep(self.delay)
        response = web.Response(text=f"made {self.times}", status=self.status)
        response[FOLLOWS] = Follows({"board:b": position})
        return response


async def get(copies, make, seen=1, look="auto two", **changes):
    """What the page says to somebody who is so far."""
    response = await copies.get(Asked(f"board:b={seen}", **changes), look, {"board:b": seen}, make)
    packed = response.headers.get("Content-Encoding") == "gzip"
    body = response.body
    return (gzip.decompress(body) if packed else body).decode()


async def test_those_who_ask_at_once_share_a_copy():
    copies, make = Copies(lambda: 0.0), Made()
    make.delay = 0.01
    said = await asyncio.gather(*(get(copies, make, packs=bool(i % 2)) for i in range(50)))
    assert set(said) == {"made 1"}


async def test_a_copy_that_lacks_what_was_told_is_made_anew():
    copies, make = Copies(lambda: 0.0), Made(position=5)
    assert [await get(copies, make, seen) for seen in (4, 5)] == ["made 1"] * 2
    make.position = 7
    assert [await get(copies, make, seen) for seen in (6, 7, 5)] == ["made 2"] * 3


async def test_nobody_makes_others_believe_that_a_copy_is_newer_than_it_is():
    copies, make = Copies(lambda: 0.0), Made(position=5)
    assert await get(copies, make, 10**17) == "made 1"
    make.position = 6
    assert await get(copies, make, 6) == "made 2"


async def test_a_copy_grows_old():
    now = [0.0]
    copies, make = Copies(lambda: now[0]), Made()
    assert await get(copies, make) == "made 1"
    now[0] = follows.AGE
    assert await get(copies, make) == "made 1"
    now[0] += 0.001
    assert await get(copies, make) == "made 2"


async def test_pages_are_told_apart_by_address_and_look():
    copies, make = Copies(lambda: 0.0), Made()
    assert await get(copies, make) == "made 1"
    assert await get(copies, make, path="/zh/") == "made 2"
    assert await get(copies, make, look="dark two") == "made 3"
    for number in range(follows.MOST):
        await get(copies, make, path=f"/en/{number}")
    times = make.times
    await get(copies, make)
    assert make.times == times + 1  # it was the one that nobody had asked for


async def test_of_what_went_wrong_there_is_no_copy():
    copies, make = Copies(lambda: 0.0), Made(status=404)
    assert [await get(copies, make, packs=False) for _ in range(2)] == ["made 1", "made 2"]


@pytest.mark.parametrize("seen", ["", "x", "=1", "board:b=-1", "board:b=x", "a=1 " * 200, "week:w=١"])
def test_whoever_says_nothing_that_is_understood_reads_for_the_first_time(seen):
    assert asked(Asked(seen)) is None


def test_positions_are_understood():
    assert asked(Asked("week:2026-W48=12 events=0")) == {"week:2026-W48": 12, "events": 0}


async def test_who_reads_again_is_given_what_he_was_told_of(api, server):
    board = await factories.board(api)
    path = f"/en/boards/{board['id']}"
    for number in range(1, 4):
        await factories.results(api, board, 1)
        answers = await asyncio.gather(
            *(
                api.get(path, headers={"Accept": "text/html", HEADER: f"board:{board['id']}={number}"})
                for _ in range(3)
            )
        )
        for answer in answers:
            assert answer.status == 200
            assert f"{number}/6</span>" in answer.raw.decode()
            assert answer.headers["Cache-Control"] == "private, no-cache"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")


@pytest.mark.parametrize(
    ("path", "channels"),
    [
        ("", ["week:2026-W48", "events"]),
        ("weeks", ["week:2026-W48"]),
        ("boards", ["week:2026-W48"]),
        ("boards?week=2026-W40", ["week:2026-W40"]),
        ("events", ["events"]),
        ("players/ann", ["week:2026-W48"]),
        ("players/ann/weeks/2026-W48", ["week:2026-W48"]),
        ("boards/{board}", ["board:{board}"]),
    ],
)
async def test_every_page_that_changes_follows_a_channel(api, server, path, channels):
    board = await factories.board(api)
    await api.put("players/ann", {"name": "Ann"})
    await factories.results(api, board, 1)
    await bulletins.number_shared(server.database)
    text = (await read(api, f"/en/{path.format(board=board['id'])}")).body
    (told,) = re.findall(r'data-channels="([^"]*)"', text)
    names = [word.partition("=")[0] for word in told.split()]
    assert names == [name.format(board=board["id"]) for name in channels]
    for word in told.split():
        name, _, position = word.partition("=")
        kept = await bulletins.positions(server.database, [name])
        assert kept[name] == int(position)
