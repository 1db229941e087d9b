"""Boards in play: what everybody reads, over every address; and when everything is there."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from aiohttp import ClientSession
from sqlalchemy import update

from server.services import bulletins
from server.storage.tables import boards as boards_table
from server.web.pages.table import FILES, PAGES
from server.web.table import ROUTES
from tests import factories
from tests.web.page import read

DEAL = "N:AK2.QJT9.543.876 QJT9.876.AK2.543 876.543.QJT9.AK2 543.AK2.876.QJT9"
PUBLIC_BOARD = {"id", "number", "dealer", "vulnerability", "week", "pool", "state", "results"}
PUBLIC_BOARD |= {"score_at", "retire_at", "version"}
HIDDEN_ROW = {"id", "sequence", "state"}
ROW = HIDDEN_ROW | {"table", "players", "contract", "declarer", "tricks", "lead", "played_at", "score"}
ROW |= {"dropped", "award", "field", "datum_imps", "cross_imps", "matchpoints", "rated", "reason", "version"}
SECRETS = ("secret-", "5DX", DEAL[2:], "SA", "1999-12-31")
"""What no answer may hold: names of tables and players, contract, cards, lead, when it was played."""
READ = {  # routes by which something of a board can be read; the others are named in the test below
    "/api/v1/boards",
    "/api/v1/boards/{id}",
    "/api/v1/boards/{id}/traveller",
    "/api/v1/results/{id}",
    "/api/v1/results/{id}/explain",
    "/api/v1/players/{id}/results",
    "/api/v1/players/{id}/weeks/{week}/explain",
    "/api/v1/channels/{name}/stream",
}

WEEK_OF = f"players/secret-N0/weeks/{factories.WEEK}/explain"
SUMS = {"points": 0, "boards": 0, "board_rates": 0, "week_rate": None}


@pytest.fixture
async def board(api):
    """A board with known cards that seven tables of secret players have played; ``results`` are their ids."""
    body = {"week": factories.WEEK, "boards": [{"number": 1, "deal": DEAL}]}
    (made,) = (await api.post("board-sets", body)).body["boards"]
    await api.put("players/secret-N0", {"linked": ["secret-other"]})
    results = []
    for table in range(7):
        players = {seat: f"secret-{seat}{table}" for seat in "NESW"}
        played = {"contract": "5DX", "declarer": "W", "tricks": 3 + table, "lead": "SA"}
        played |= {"played_at": "1999-12-31T23:00:00Z", "auction": ["1NT", "P"], "play": ["SA", "S9"]}
        body = factories.result(made, table=f"secret-{table}", players=players, **played)
        answer = await api.post("results", body | ({"lead": None} if table == 0 else {}))
        assert answer.status == 201, answer
        results.append(answer.body["id"])
    return made | {"results": results}


async def identities(server):
    """Options of a request by whom it is asked, with whether he sees the board while it is in play."""
    token = await server.token("platform", "results:write")
    watcher = await server.token("watcher", "director")
    playing = await server.token("chief", "director", player="chief")
    played = await server.token("player", "director", player="secret-S3")
    both = await server.token("everything", "director", "results:write", player="chief")
    away = await server.token("owner", "admin", player="chief")

    def as_viewer(name, token=token):
        return {"token": token, "params": {"viewer": name}}

    return {
        "the public": ({"token": "public"}, False),
        "a platform": ({"token": token}, False),
        "an organiser": ({"token": "boards"}, False),
        "one who has played": (as_viewer("secret-E6"), True),
        "his linked account": (as_viewer("secret-other"), True),
        "one who has not": (as_viewer("somebody"), False),
        "one who was dealt it": (as_viewer("dealt"), False),
        "nobody known": (as_viewer("nobody"), False),
        "a director": ({"token": watcher}, True),
        "the admin": ({"token": "admin"}, True),
        "a director who may still play": ({"token": playing}, False),
        "a director who has played": ({"token": played}, True),
        "a director who asks for a player": (as_viewer("secret-E6", both), True),
        "a director who asks for a stranger": (as_viewer("somebody", both), False),
        "an admin who may still play": ({"token": away}, False),
    }


async def read_all(api, board, options):
    """Every answer about the board, by address."""
    paths = [f"boards/{board['id']}", f"boards/{board['id']}/traveller", "boards"]
    paths += ["players/secret-N0/results", WEEK_OF]
    paths += [f"results/{each}{rest}" for each in board["results"] for rest in ("", "/explain")]
    return {path: await api.get(path, **options) for path in paths}


def check_hidden(answers, board):
    """Nothing of the board is told."""
    for path, answer in answers.items():
        text = answer.raw.decode() + json.dumps(dict(answer.headers))
        if path == WEEK_OF:  # whose week it is stands in it
            text = text.replace("secret-N0", "")
        assert not [secret for secret in SECRETS if secret in text], path
        if path == WEEK_OF:
            assert answer.status == 200
            assert (answer.body["lines"], answer.body["hidden_boards"]) == ([], 1)
            assert (answer.body["lines_sum"], answer.body["other_zeros"]) == (SUMS, 0)
            continue
        if path.endswith("/explain"):
            assert (answer.status, answer.slug) == (403, "not-revealed")
            assert answer.body.keys() == {"type", "title", "status", "detail", "instance"}
            continue
        assert answer.status == 200, path
        if path.endswith("/traveller"):
            assert answer.body["board"].keys() == PUBLIC_BOARD
            assert answer.body["datum"] is None
            assert answer.body.keys() == {"board", "datum", "results", "position"}
            assert len(answer.body["results"]) == len(board["results"])
            assert all(row.keys() == HIDDEN_ROW for row in answer.body["results"])
        elif path.startswith("results/"):
            assert answer.body.keys() == HIDDEN_ROW
        elif path.startswith("players/"):
            assert [row.keys() for row in answer.body["results"]] == [HIDDEN_ROW]
        elif path == "boards":
            assert all(each.keys() == PUBLIC_BOARD for each in answer.body["boards"])
        else:
            assert answer.body.keys() == PUBLIC_BOARD


def check_open(answers, board):
    """Everything is told, the cards included."""
    for path, answer in answers.items():
        assert answer.status == 200, path
        if path == WEEK_OF:
            (line,) = answer.body["lines"]
            assert line["players"] == {seat: f"secret-{seat}0" for seat in "NESW"}
            assert (line["points"], answer.body["hidden_boards"]) == (answer.body["lines_sum"]["points"], 0)
        elif path.endswith("/explain"):
            assert answer.body["result"]["contract"] == "5DX"
        elif path.endswith("/traveller"):
            assert answer.body["board"]["deal"] == DEAL
            assert isinstance(answer.body["datum"], int)
            assert all(row.keys() == ROW for row in answer.body["results"])
        elif path.startswith("results/"):
            assert answer.body.keys() == ROW | {"board", "datum", "auction", "play"}
            assert answer.body["players"]["N"].startswith("secret-N")
        elif path.startswith("players/"):
            assert answer.body["results"][0]["players"]["N"] == "secret-N0"
        elif path != "boards":
            assert answer.body["deal"] == DEAL


async def check_everybody(server, board, revealed):
    """Everybody sees what he may, while in play or afterwards."""
    for who, (options, entitled) in (await identities(server)).items():
        answers = await read_all(server.api, board, options)
        try:
            (check_open if revealed or entitled else check_hidden)(answers, board)
        except AssertionError as error:
            error.add_note(f"asked by {who}")
            raise


def test_every_route_that_reads_is_looked_at():
    reading = {route.path for route in ROUTES if route.method == "GET"}
    # These tell of players what their week came to, never what happened on a board.
    totals = {"players/{id}", "players/{id}/weeks", "weeks/{week}/leaderboard"}
    totals |= {"players/{id}/career"}  # of revealed boards alone: in a test below, and pages/test_weeks.py
    # Those of directors have tests of their own: test_disconnects.py, test_audit.py, test_watch.py, and
    # test_event_penalties.py and test_event_pairings.py.
    others = {
        "/api/v1/weeks/{week}/watch",
        "/api/v1/disconnects",
        "/api/v1/disconnects/{id}",
        "/api/v1/audit",
        "/api/v1/weeks/current",
        "/api/v1/weeks/{week}",
        "/api/v1/grades",
        "/healthz",
        "/readyz",
        "/metrics",
    }
    # Of events in api/test_event_results.py: their boards open with their rounds.
    places = ["", "/entries", "/entries/{entry}", "/standings", "/rounds/{round}", "/boards/{number}"]
    places += ["/penalties", "/pairings"]
    places += ["/qualifiers"]  # by totals of closed rounds alone, as the standings
    events = {"/api/v1/events", *(f"/api/v1/events/{{id}}{place}" for place in places)}
    assert reading == READ | others | events | {f"/api/v1/{path}" for path in totals}


def test_every_page_is_looked_at():
    seen = {"/", "/boards", "/boards/{id}", "/results/{id}", "/search", "/status"}  # in a test below
    weeks = {"/weeks", "/weeks/{week}", "/players/{id}", "/players/{id}/weeks/{week}"}  # pages/test_weeks.py
    below = ("", "/cross-table", "/rounds/{round}", "/boards/{number}", "/entries", "/entries/{entry}")
    # Of events in pages/test_events.py: what happened in a round is shown when it is over.
    events = {"/events", *(f"/events/{{id}}{path}" for path in below)}
    still = {"/events/{id}/vp", "/rules", "/docs", "/problems", "/problems/{slug}"}  # whatever happens
    assert {page.path for page in PAGES} == seen | weeks | events | still


def test_every_file_is_looked_at():
    boards = {f"/boards/{{id}}/traveller.{kind}" for kind in ("csv", "pbn", "xml")}  # in a test below
    # In pages/test_event_downloads.py: while a round is played nothing of it, of players what is revealed.
    events = {f"/events/{{id}}/boards/{{number}}/traveller.{kind}" for kind in ("csv", "pbn", "xml")}
    below = (
        "standings",
        "cross-table",
        "rounds/{round}/tables",
        "entries",
        "entries/{entry}/scorecard",
        "vp",
    )
    events |= {f"/events/{{id}}/{path}.csv" for path in below} | {
        "/events/{id}/event.pbn",
        "/events/{id}/event.xml",
    }
    players = {"/players/{id}/weeks.csv", "/players/{id}/results.csv"}
    players |= {"/players/{id}/weeks/{week}/boards.csv"}
    lists = {"/boards.csv", "/events.csv"}  # in a test below: who left a board is in none
    assert {page.path for page in FILES} == boards | events | players | lists


async def test_a_rated_week_is_explained_when_its_boards_are_revealed(server, api, clock, board):
    clock.set(datetime(2026, 11, 29, 16, 0, 1, tzinfo=UTC))
    assert (await api.post("weeks/2026-W48/rate", None, token="admin")).status == 200
    public = (await api.get(WEEK_OF, token="public")).body
    assert (public["lines"], public["hidden_boards"], public["lines_sum"]) == ([], 1, SUMS)
    assert (public["boards"], public["board_rates"]) == (1, 1)  # as everybody reads in his weeks
    assert public["text"][:2] == [
        "The lines: 0 points on 0 boards.",
        "1 board is left out: it may still be played.",
    ]
    for options in ({"token": "director"}, {"token": "results", "params": {"viewer": "secret-E6"}}):
        seen = (await api.get(WEEK_OF, **options)).body
        assert (len(seen["lines"]), seen["hidden_boards"]) == (1, 0)
    clock.advance(timedelta(minutes=30))
    assert (await api.get(WEEK_OF, token="public")).body == seen


async def test_the_lines_of_a_week_are_those_of_boards_that_one_may_see(server, api, board):
    """Of the three boards of secret-N0 one is retired, one is played by another too, and one he left."""
    retired, left = await factories.boards(api, 2)
    people = {seat: f"secret-{seat}0" for seat in "NESW"}
    await factories.results(api, retired, 1, players=people)
    await factories.results(api, retired, 39)
    body = {"player": "secret-N0", "board": left["id"], "table": "secret-left", "players": people}
    gone = await api.post("disconnects", body)
    assert gone.status == 201
    for options, boards in (
        ({"token": "public"}, [2]),
        ({"token": "results"}, [2]),
        ({"token": "results", "params": {"viewer": "secret-E6"}}, [1, 2]),
        # Who left has played nothing there: he might still be told by others what the board was.
        ({"token": "results", "params": {"viewer": "secret-N0"}}, [1, 2]),
        ({"token": "director"}, [1, 2, 3]),
    ):
        answer = await api.get(WEEK_OF, **options)
        seen = answer.body
        assert [line["number"] for line in seen["lines"]] == boards
        assert seen["hidden_boards"] == 3 - len(boards)
        assert seen["lines_sum"]["boards"] == len(boards)
        assert (gone.body["id"] in answer.raw.decode()) == (3 in boards)
        assert ("-16" in answer.raw.decode()) == (3 in boards)
    for language, said in (
        ("en", "2 boards are left out: they may still be played."),
        ("zh", "有 2 副未列出"),
    ):
        page = await read(api, f"/{language}/players/secret-N0/weeks/{factories.WEEK}")
        assert said in page.body
        text = page.body.replace("secret-N0", "")
        # Of the retired board everybody may know who sat there, and of no other.
        assert not [secret for secret in ("-16", "−16", gone.body["id"], "5DX") if secret in text]
        assert f"/boards/{board['id']}" not in text
        assert not [result for result in board["results"] if result in text]
    refused = await api.get(WEEK_OF, token="public", params={"viewer": "secret-N0"})
    assert (refused.status, refused.slug) == (403, "scope-missing")


LEAVER = "leaver-1"
OF_HIM = (  # what is told of a player's boards, by pages, files and the API
    f"/api/v1/players/{LEAVER}",
    f"/api/v1/players/{LEAVER}/weeks",
    f"/api/v1/players/{LEAVER}/results",
    f"/api/v1/players/{LEAVER}/career",
    f"/api/v1/players/{LEAVER}/weeks/{factories.WEEK}/explain",
    *(f"/{language}/players/{LEAVER}{rest}" for language in ("en", "zh") for rest in ("", "/weeks/2026-W48")),
    f"/players/{LEAVER}/weeks.csv",
    f"/players/{LEAVER}/results.csv",
    f"/players/{LEAVER}/weeks/{factories.WEEK}/boards.csv",
    f"/en/search?q={LEAVER}",
    f"/api/v1/weeks/{factories.WEEK}/leaderboard?rating=points",
    f"/en/weeks/{factories.WEEK}?rating=points",
)


def of_board(board):
    """Where something of a board can be read while it is in play."""
    own = [f"/api/v1/boards/{board['id']}{rest}" for rest in ("", "/traveller")]
    own += [f"/boards/{board['id']}/traveller.{kind}" for kind in ("csv", "pbn", "xml")]
    own += [f"/en/boards/{board['id']}", f"/en/boards/{board['id']}?player={LEAVER}", "/api/v1/boards"]
    return [*own, "/en/boards", "/boards.csv", f"/en/search?q={board['id']}", "/en/status"]


async def test_who_left_a_board_in_play_is_told_nowhere(server, api, clock):
    """He left one board in play without a result, one with a result, and a third that is retired since."""
    alone, played, retired = await factories.boards(api, 3)
    people = factories.four() | {"N": LEAVER}
    for board in (alone, retired):
        body = {"player": LEAVER, "board": board["id"], "table": factories.table(), "players": people}
        assert (await api.post("disconnects", body)).status == 201
    await factories.results(api, played, 1, players=people, disconnects=[LEAVER])
    await factories.results(api, played, 6)
    await factories.results(api, retired, 40)
    for who, (options, entitled) in (await identities(server)).items():
        for address in OF_HIM:
            if entitled and address.endswith(("/explain", "/results")):
                continue  # who has played the board, and directors, may read who left
            of_api = address.startswith("/api/")
            asked = {"token": options["token"], "headers": {"Accept": "*/*" if of_api else "text/html"}}
            answer = await api.get(address, **asked)
            text = answer.raw.decode()
            assert answer.status == 200, (who, address, text)
            assert alone["id"] not in text, (who, address)
            assert "disconnect" not in text.partition(played["id"])[2][:400], (who, address)
    career = (await api.get(f"players/{LEAVER}/career", token="public")).body
    assert [each["board"] for each in career["penalties"]] == [retired["id"]]
    for board in (alone, played):
        for address in of_board(board):
            answer = await api.get(address, token="public", headers={"Accept": "*/*"})
            assert LEAVER not in answer.raw.decode().replace(f"player={LEAVER}", ""), address
    clock.set(datetime(2026, 11, 29, 16, 30, tzinfo=UTC))
    career = (await api.get(f"players/{LEAVER}/career", token="public")).body
    assert [each["board"] for each in career["penalties"]] == [retired["id"], played["id"], alone["id"]]
    page = await read(api, f"/en/players/{LEAVER}")
    assert alone["id"] in page.body


async def test_in_play_only_those_who_have_played_and_directors_see_it(server, board):
    seat = factories.four() | {"S": "dealt"}
    await server.api.post("assignments", {"table": "T", "players": seat})
    await check_everybody(server, board, revealed=False)


async def test_pages_show_nobody_more_than_the_public_sees(server, board):
    paths = [f"boards/{board['id']}", f"boards/{board['id']}?player=secret-N0", "boards", "", "status"]
    paths += [f"results/{each}" for each in board["results"][:2]]
    addresses = [f"/{language}/{path}" for language in ("en", "zh") for path in paths]
    addresses += [f"/boards/{board['id']}/traveller.{kind}" for kind in ("csv", "pbn", "xml")]
    addresses += [f"/en/search?q={each}" for each in (board["id"], board["results"][0], board["number"])]
    for who, (options, _) in (await identities(server)).items():
        asked = {"token": options["token"], "headers": {"Accept": "text/html"}}
        for address in addresses:
            answer = await server.api.get(address, **asked)
            text = answer.raw.decode().replace("player=secret-N0", "") + json.dumps(dict(answer.headers))
            assert not [secret for secret in SECRETS if secret in text], (who, address)


async def test_a_retired_board_is_open_to_everybody(server, board):
    await factories.results(server.api, board, 33, contract="5DX", declarer="W", tricks=5)
    board["results"] = board["results"][:2]
    await check_everybody(server, board, revealed=True)


async def test_half_an_hour_after_its_week_has_closed_it_is_open(server, clock, board):
    opened = clock.now().replace(day=29, hour=16, minute=30)  # the week ends at midnight in Shanghai
    clock.set(opened - timedelta(microseconds=1))
    public = await read_all(server.api, board, {"token": "public"})
    check_hidden(public, board)
    clock.set(opened)
    await check_everybody(server, board, revealed=True)


async def test_a_withdrawn_board_is_open_but_no_longer_played(server, board):
    number = int(board["id"].removeprefix("b_"), 32)
    statement = update(boards_table).where(boards_table.c.id == number)
    withdrawn = statement.values(withdrawn_at=server.clock.now())
    await server.database.write(lambda connection: connection.execute(withdrawn))
    answers = await read_all(server.api, board, {"token": "public"})
    week = answers.pop(WEEK_OF).body
    assert (week["lines"], week["hidden_boards"]) == ([], 0)
    check_open(answers, board)
    result = answers[f"results/{board['results'][0]}"].body
    assert (result["rated"], result["reason"]) == (False, "withdrawn")
    assert answers[f"boards/{board['id']}"].body["state"] == "withdrawn"


async def test_the_streams_tell_the_public_no_more(server, board):
    for channel in (f"board:{board['id']}", f"week:{factories.WEEK}"):
        text = await followed(server, channel, 7)
        assert not [secret for secret in SECRETS if secret in text]
        bodies = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]
        for body in bodies:
            assert set(body) <= {"board", "results", "pool"}
            assert body["board"].keys() == {"id", "number", "state", "results"}
            assert all(row.keys() == HIDDEN_ROW for row in body.get("results", []))


async def followed(server, channel, count):
    """So many bulletins of a channel, from its beginning."""
    await bulletins.number_shared(server.database)
    text = ""
    async with (
        ClientSession() as session,
        session.get(f"{server.url}/api/v1/channels/{channel}/stream?after=0") as response,
    ):
        while text.count("\ndata: ") < count:
            text += (await response.content.readline()).decode()
    return text


async def test_only_a_platform_may_ask_for_a_player(server, board):
    director = await server.token("watcher", "director")
    for token in ("public", "boards", "events", director):
        for path in (
            f"boards/{board['id']}",
            f"boards/{board['id']}/traveller",
            f"results/{board['results'][0]}",
        ):
            answer = await server.api.get(path, token=token, params={"viewer": "secret-N1"})
            expected = (403, "scope-missing", "results:write")
            assert (answer.status, answer.slug, answer.body["scope"]) == expected


async def test_a_viewer_has_an_id(server, board):
    for name in ("", "\x00", "a/b", "v" * 65, "\u202e"):
        for path in (f"boards/{board['id']}/traveller", f"results/{board['results'][0]}/explain"):
            answer = await server.api.get(path, token="results", params={"viewer": name})
            assert (answer.status, answer.slug) == (422, "invalid-body")
            assert answer.body["errors"][0]["pointer"] == "?viewer"


async def test_refusals_tell_nothing_of_the_cards(server, board):
    api = server.api
    body = factories.result(board, contract="5DX", declarer="W", tricks=5, lead="HA")
    lead = await api.post("results", body)
    played = await api.post(
        "results", body | {"lead": None, "players": factories.four() | {"N": "secret-N0"}}
    )
    for answer in (lead, played):
        assert answer.status in (409, 422)
        assert DEAL[2:] not in answer.raw.decode()
