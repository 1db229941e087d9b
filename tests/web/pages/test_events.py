"""Pages of events: their numbers are the API's, in every state; nothing of a round in play is told."""

import re
from datetime import timedelta

import pytest

from tests import event_days
from tests.browser.scene import HOSTILE
from tests.event_days import Day
from tests.web.page import Page, check, read

MINUS = "\N{MINUS SIGN}"
UNITS = {"vp": "VPs", "matchpoints": "Per cent", "cross_imps": "IMPs", "datum": "IMPs", "total_imp": "IMPs"}


def two(value, scoring="vp"):
    """A total as pages write it: VPs and per cent plain, IMPs with their sign."""
    if value is None:
        return "–"
    signed = scoring not in ("vp", "matchpoints") and value != 0
    return (f"{value:+.2f}" if signed else f"{value:.2f}").replace("-", MINUS)


def written(text):
    """What is written in a piece of HTML."""
    return " ".join(Page(f"<p>{text}</p>").text.split())


def rows(text, table):
    """The rows of a table by its class: what is written in their cells, by `data-row`."""
    found = re.search(rf'<table class="{table}[^"]*".*?</table>', text, re.DOTALL)[0]
    return {
        match[1]: [
            written(cell) for cell in re.findall(r"<(?:td|th) [^>]*>(.*?)</(?:td|th)>", match[2], re.DOTALL)
        ]
        for match in re.finditer(r'<tr [^>]*data-row="([^"]*)"[^>]*>(.*?)</tr>', found, re.DOTALL)
    }


async def page(day, path="", language="en", **options):
    """A page of the event; it must be well formed."""
    answer = await read(day.api, f"/{language}/events/{day.id}{path}", **options)
    assert answer.status == 200, (path, answer.status)
    check(answer.body)
    return answer.body


async def held(server, scoring="vp", **changes):
    """An event of seven pairs that is over, with a deduction and somebody hidden."""
    day = Day(server)
    await day.announce(scoring=scoring, rounds=3, boards=2, **changes)
    await day.enter(range(1, 8))
    await day.api.put("players/a2", {"name": "Alice & <b>"}, token="results")
    await day.api.put("players/b3", {"hidden": True}, token="results")
    for number in (1, 2, 3):
        await day.until("running", number)
        await day.play(number)
        if number == 1:
            await day.post("penalties", {"entry": 4, "kind": "deduction", "amount": 0.25, "reason": "secret"})
            await day.post("penalties", {"entry": 5, "kind": "deduction", "amount": 0.5, "reason": "secret"})
            await day.post("penalties/2/lift", {"reason": "secret"})
    await day.until("finished")
    return day


@pytest.fixture
async def over(server):
    """An event in VPs that is over."""
    return await held(server)


@pytest.mark.parametrize("scoring", ["vp", "matchpoints", "cross_imps", "total_imp", "datum"])
async def test_standings_cross_table_and_scorecards_are_those_of_the_api(server, scoring):
    day = await held(server, scoring)
    told = (await day.get("standings"))["rows"]
    text = await page(day)
    assert f">{UNITS[scoring]}</th>" in text
    found = rows(text, "placings")
    assert list(found) == [str(row["entry"]) for row in told]
    for row in told:
        rank, pair, score, boards, penalty, points, *_ = found[str(row["entry"])]
        assert rank == str(row["rank"])
        assert pair.startswith(f"{row['entry']} {row['names'][0]} – {row['names'][1]}")
        assert (score, boards) == (two(row["score"], scoring), str(row["boards"]))
        assert penalty == (f"{MINUS}0.25" if row["deduction"] else "–")
        assert points == str(row["masterpoints"] or "–")
    assert text.count("deduction −0.25") == 1
    assert text.count("<s>deduction −0.50</s>") == 1
    assert "secret" not in text
    await check_cross_table(day, told, scoring)
    for row in told[:2]:
        await check_card(day, row["entry"], scoring)


async def check_cross_table(day, told, scoring):
    """Opponents, sides and scores by round, from what the API says of rounds."""
    expected = {row["entry"]: [] for row in told}
    for number in (1, 2, 3):
        found = await day.get(f"rounds/{number}")
        scores = {row["entry"]: row["rounds"][number - 1] for row in told}
        for table in found["tables"]:
            for side, other in (("ns", "ew"), ("ew", "ns")):
                shown = two(table["score"][side], scoring)
                assert shown == two(scores[table[side]], scoring)
                expected[table[side]].append(f"{table[other]} {side.upper()} {shown}")
        for pair in found["sit_outs"]:
            expected[pair].append(f"sit-out {two(scores[pair], scoring)}")
    found = rows(await page(day, "/cross-table"), "cross")
    for row in told:
        rank, _, total, *cells = found[str(row["entry"])]
        assert (rank, total) == (str(row["rank"]), two(row["score"], scoring))
        assert cells == expected[row["entry"]]


async def check_card(day, entry, scoring):
    """A scorecard against the boards as the API compares them, with a running total of our own."""
    text, told = await page(day, f"/entries/{entry}"), await day.get(f"entries/{entry}")
    by_board = "cross_imps" if scoring == "vp" else scoring
    lines = re.findall(r'<tr role="row"><th role="rowheader" scope="row".*?</tr>', text, re.DOTALL)
    cells = [
        [written(each) for each in re.findall(r"<t[dh] .*?>(.*?)</t[dh]>", line, re.DOTALL)] for line in lines
    ]
    boards = [board for each in told["rounds"] for board in each["boards"]]
    assert [line[0] for line in cells] == [str(board["number"]) for board in boards]
    for line, board in zip(cells, boards, strict=True):
        assert line[5] == two(board["score"], by_board)
        if not board["played"]:
            continue
        compared = (await day.get(f"boards/{board['number']}"))["results"]
        row = next(each for each in compared if entry in (each["ns"], each["ew"]))
        sign = 1 if row["ns"] == entry else -1
        assert line[3] == str(row["tricks"])
        assert line[4] == str(sign * row["score"]).replace("-", MINUS)
        assert line[1].split()[-2] == row["declarer"]
    totals = re.findall(r'class="number total"><data value="([^"]*)"', text)
    deduction = 0.25 if entry == 4 else 0
    assert float(totals[-1]) == pytest.approx(told["score"] + deduction)
    assert f"<dt>Rank</dt><dd>{told['rank']}</dd>" in text


async def test_a_board_is_compared_as_by_the_api(over):
    for number in range(1, 7):
        text, told = await page(over, f"/boards/{number}"), await over.get(f"boards/{number}")
        found = re.findall(r'<tr role="row" data-result="([^"]*)".*?</tr>', text, re.DOTALL)
        by_score = sorted(told["results"], key=lambda row: -row["score"])
        assert sorted(found) == sorted(row["id"] for row in told["results"])
        for row in by_score:
            line = re.search(rf'data-result="{row["id"]}".*?</tr>', text, re.DOTALL)[0]
            cells = [written(each) for each in re.findall(r"<t[dh] .*?>(.*?)</t[dh]>", line, re.DOTALL)]
            assert cells[0] == str(row["score"]).replace("-", MINUS)
            assert cells[2] == row["table"].partition("T")[2]
            assert cells[5] == str(row["tricks"])
            assert cells[6].startswith(f"{row['ns']} ")
            assert cells[7].startswith(f"{row['ew']} ")
            assert cells[8:10] == [two(row["field"][side], "cross_imps") for side in ("ns", "ew")]
        north = re.search(r'aria-label="North">.*?</div>', text, re.DOTALL)[0]
        cards = re.findall(r'<span class="ranks">(.*?)</span>', north)
        hand = told["deal"].removeprefix("N:").split()[0]
        assert [each.replace(" ", "").replace("10", "T").strip("—") for each in cards] == hand.split(".")


async def test_a_board_is_turned_for_a_player_and_leads_to_its_neighbours(over):
    table = (await over.get("rounds/2"))["tables"][0]
    text = await page(over, f"/boards/3?player={table['players']['E']}")
    assert re.search(r'<div class="hand hand-bottom" role="group" aria-label="East">', text)
    assert len(re.findall(r'data-result="[^"]*" class=" own"', text)) == 1
    links = Page(text).links
    assert {f"/en/events/{over.id}/boards/{number}" for number in (2, 4)} <= set(links)
    plain = (await read(over.api, f"/en/boards/{(await over.get('boards/3'))['board']['id']}")).body
    assert f'/en/events/{over.id}/boards/3">Round 2 · <bdi>Test</bdi>' in plain


async def test_the_arithmetic_of_a_board_of_an_event_stands_on_its_own(over):
    row = (await over.get("boards/1"))["results"][0]
    text = (await read(over.api, f"/en/results/{row['id']}")).body
    check(text)
    assert "A board of an event has no award" in text
    assert "whether or not they played the board, that is" in text
    assert "more results are needed" not in text


async def test_a_round_has_its_tables_seats_and_boards(over):
    told = await over.get("rounds/2")
    text = await page(over, "/rounds/2")
    names = {row["entry"]: " – ".join(row["names"]) for row in (await over.get("entries"))["entries"]}
    for number, (_, ns, first, ew, second) in rows(text, "matches").items():
        table = told["tables"][int(number) - 1]
        assert ns == f"{table['ns']} {names[table['ns']]}"
        assert ew == f"{table['ew']} {names[table['ew']]}"
        assert [first, second] == [two(table["score"]["ns"]), two(table["score"]["ew"])]
    for pair in told["sit_outs"]:
        assert re.search(rf'Sits out: <a class="pair" href="[^"]*/entries/{pair}"', text)
    for board in told["boards"]:
        assert f'/en/events/{over.id}/boards/{board["number"]}"' in text


async def test_the_vp_table_is_that_of_the_api(server, over):
    vps = (await over.get())["rules"]["vps"]
    text = await page(over, "/vp")
    assert vps[-1]["ew"] < 0
    assert "fall below 0" in text
    lines = re.findall(r'<tr><th scope="row".*?</tr>', text, re.DOTALL)
    cells = [[written(each) for each in re.findall(r"<t[dh] .*?>(.*?)</t[dh]>", line)] for line in lines]
    last = len(vps) - 1
    assert cells == [
        [f"≥ {i}" if i == last else str(i), two(each["ns"]), two(each["ew"])] for i, each in enumerate(vps)
    ]
    other = Day(server)
    await other.announce(scoring="matchpoints")
    assert "not scored in victory points" in await page(other, "/vp")
    assert "/vp" not in " ".join(Page(await page(other)).links)


async def test_a_hidden_player_has_neither_name_nor_address(over):
    for path in ("", "/cross-table", "/rounds/1", "/boards/1", "/entries", "/entries/3"):
        text = await page(over, path)
        assert not re.search(r"\bb3\b", text), path
        assert "hidden" in text
        assert "Alice &amp; &lt;b&gt;" in text or path == "/entries/3"


async def test_what_ties_is_told_with_what_decided(server):
    day = Day(server)
    await day.announce(rounds=1, boards=2)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    await day.play(1, lambda _table, _board: ("3NT", "S", 9))
    await day.until("finished")
    found = rows(await page(day), "placings")
    assert [row[-1] for row in found.values()] == ["tie, decided by earlier registration"] * 4
    assert [row[0] for row in found.values()] == ["1", "2", "3", "4"]


async def test_each_state_says_what_comes_next(server, clock):
    day = Day(server)
    opens = clock.now() + timedelta(minutes=5)
    await day.announce(open_at=opens.isoformat(), min_pairs=2, round_s=600, closing_s=60)
    text = await page(day)
    assert "announced" in text
    assert re.search(r"Registration opens in <span class=\"countdown\".*?<b>5</b> min", text, re.DOTALL)
    clock.set(opens)
    await day.tick()
    assert "Play begins in" in await page(day)
    await day.enter(range(1, 4))
    await day.until("running", 1)
    text = await page(day)
    assert "round 1 of 3" in text
    ends = (await day.get())["ends_at"].replace("Z", "+00:00")
    assert f'Round 1 ends in <span class="countdown" data-until="{ends}"' in text
    later = await page(day, "/rounds/3")
    starts = (await day.get())["schedule"][-1]["starts_at"].replace("Z", "+00:00")
    assert f'This round begins <span class="moment named"><time datetime="{starts}"' in later
    await day.post("pause", {"reason": "lights"}, token="director")
    assert "The clock has been stopped since" in await page(day)
    await day.post("resume", {"reason": "on"}, token="director")
    await day.until("closing", 1)
    assert "Next round in" in await page(day)
    await day.until("finished")
    assert "Final standings" in await page(day)


NEEDED = {
    "en": "at least 6 pairs are needed (7 if their number is odd)",
    "zh": "至少需要 6 对；对数为奇数时至少 7 对",
}
LEFT = {"en": "rounds 1 to 2 are certain to need no second meeting", "zh": "可保证前 2 轮没有重复对阵"}


async def test_how_many_rounds_do_without_a_second_meeting_is_told(server):
    """Before the start how many pairs that needs; then for how many rounds those that play on are enough."""
    day = Day(server)
    await day.announce(rounds=3, boards=1)
    for language, words in NEEDED.items():
        assert words in written(await page(day, language=language))
    assert ((await day.get())["rules"]["pairs_needed"], (await day.get())["always_pairable"]) == (6, 0)
    await day.enter(range(1, 7))
    for language, words in NEEDED.items():
        assert words not in written(await page(day, language=language))
    await day.until("running", 1)
    assert (await day.get())["always_pairable"] == 3
    await day.post("leave", {"player": "a6"})
    assert (await day.get())["always_pairable"] == 2
    for language, words in LEFT.items():
        assert words in written(await page(day, language=language))
        assert NEEDED[language] not in written(await page(day, language=language))
    for number in (1, 2, 3):
        await day.until("running", number)
        await day.play(number)
    await day.until("finished")
    assert LEFT["en"] not in written(await page(day))


async def test_who_stays_away_does_not_count_until_he_is_ready(server):
    day = Day(server)
    await day.announce(rounds=3, boards=1)
    await day.enter(range(1, 5))
    await day.until("running", 1)
    for player in ("a1", "b1"):
        await day.post("tables/1/arrive", {"player": player})
    await day.post("results", {"round": 1, "table": 2, "board": 1, "contract": "PASS"})
    await day.until("running", 2)
    assert (await day.get())["always_pairable"] == 1
    await day.post("ready", {"player": "b2"})
    assert (await day.get())["always_pairable"] == 2


async def test_who_sits_in_the_room_is_seen_with_hands_and_countdown(server):
    day = Day(server)
    day.id = await event_days.seated(server, hands=1)
    text = await page(day, "/entries")
    room = re.search(r'<ol class="room".*?</ol>', text, re.DOTALL)[0]
    assert "Table 1" in room
    assert [("ann" in room, "sam" in room), (room.count("hand up"), room.count("hand down"))] == [
        (True, True),
        (1, 1),
    ]
    assert "Entered in" not in room
    await day.post("room/raise", {"player": "sam"})
    server.clock.advance(timedelta(seconds=5))
    text = await page(day, "/entries")
    assert re.search(r'Entered in <span class="countdown".*?<b>15</b> s', text, re.DOTALL)
    await day.post("room/sit", {"player": "eve", "table": 3, "seat": "S"})
    assert "free" in re.search(r'data-row="room-3".*?</li>', await page(day, "/entries"), re.DOTALL)[0]
    await day.wait(20)
    text = await page(day, "/entries")
    assert list(rows(text, "rows stack entries")) == ["1"]
    assert "One pair is entered" in text
    assert "20 seconds without a break" in text


async def test_how_to_take_part_is_told_while_one_may(server, clock):
    day = Day(server)
    opens = clock.now() + timedelta(minutes=5)
    await day.announce(open_at=opens.isoformat(), min_pairs=2, rounds=2, late_until=1)
    assert "How to take part" in await page(day, "/entries")
    clock.set(opens)
    await day.tick()
    await day.enter(range(1, 5))
    assert "How to take part" in await page(day, "/entries")
    await day.until("running", 1)
    assert "How to take part" in await page(day, "/entries")  # late entries
    await day.play(1)
    await day.until("running", 2)
    assert "How to take part" not in await page(day, "/entries")
    await day.until("finished")
    assert "How to take part" not in await page(day, "/entries")
    other = Day(server)
    await other.announce()
    await other.post("cancel", {})
    assert "How to take part" not in await page(other, "/entries")


async def test_a_pairs_event_says_until_when_one_may_enter(server):
    day = Day(server)
    day.id = await event_days.pairs_event(server)
    starts = (server.clock.now() + timedelta(seconds=1)).isoformat()
    text = await page(day, "/entries")
    said = re.search(r">Registration</h2>\s*<p>(.*?)</p>", text, re.DOTALL)[1]
    assert said.startswith("Pairs may enter until play begins, ")
    assert f'<time datetime="{starts}">' in said
    assert 'id="how"' in text


async def test_events_are_listed_by_kind_state_and_page(server):
    made = [(await Day(server).announce(name=f"Number {i}", min_pairs=2))["id"] for i in range(52)]
    pairs = await event_days.pairs_event(server)
    text = (await read(server.api, "/en/events")).body
    check(text)
    listed = list(rows(text, "rows programme"))
    assert listed == [pairs, *reversed(made)][:50]
    older = next(link for link in Page(text).links if "cursor=" in link)
    text = (await read(server.api, older)).body
    assert list(rows(text, "rows programme")) == [pairs, *reversed(made)][50:]
    text = (await read(server.api, "/en/events?kind=pairs&state=")).body
    assert list(rows(text, "rows programme")) == [pairs]
    text = (await read(server.api, "/zh/events?state=cancelled")).body
    assert "没有符合条件的赛事" in text
    for query in ("kind=nothing", "state=nothing", "cursor=x"):
        assert (await read(server.api, f"/en/events?{query}")).status == 422


async def test_the_first_page_says_what_is_played_to_come_and_over(server):
    text = (await read(server.api, "/en/")).body
    assert "No event is announced just now." in text
    assert "No event is over yet." in text
    day = await held(server)
    winners = (await day.get("standings"))["rows"][0]["names"]
    played = await event_days.running(server)
    coming = (await Day(server).announce(name="To come"))["id"]
    text = (await read(server.api, "/en/")).body
    check(text)
    now = re.search(r'<section id="events-now".*?</section>', text, re.DOTALL)[0]
    assert re.findall(r'href="/en/events/([^"]*)"', now) == [played, coming]
    assert "Round 1 ends in" in now
    ended = re.search(r'<section id="events-over".*?</section>', text, re.DOTALL)[0]
    assert f"/en/events/{day.id}" in ended
    assert " – ".join(winners) in written(ended)


async def test_json_stands_beside_every_table(over):
    for path in ("", "/cross-table", "/rounds/1", "/boards/1", "/entries", "/entries/1", "/vp"):
        links = [link for link in Page(await page(over, path)).links if link.startswith("/api/v1/events/")]
        assert links, path
        for link in links:
            assert (await over.api.get(link)).status == 200


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_what_is_not_there_is_a_page_that_says_so(over, language):
    missing = {
        "": ("There is no such event", "没有这项赛事"),
        "/rounds/4": ("The event has no such round", "该赛事没有这一轮"),
        "/rounds/x": ("The event has no such round", "该赛事没有这一轮"),
        "/boards/99": ("There is no such board", "没有这副牌"),
        "/entries/99": ("No pair has this number in the event", "赛事中没有这个编号的对子"),
    }
    for path, titles in missing.items():
        event = over.id if path else "e_zzzzzz"
        answer = await read(over.api, f"/{language}/events/{event}{path}")
        assert answer.status == 404
        assert titles[language == "zh"] in check(answer.body).text, path
    for path in ("/events/nothing", "/events/e_zzzzzz/cross-table", "/events/e_zzzzzz/vp"):
        assert (await read(over.api, f"/{language}{path}")).status == 404


@pytest.mark.parametrize("words", HOSTILE)
async def test_names_are_text_on_every_page(server, words):
    day = Day(server)
    await day.announce(name=words, rounds=1, boards=1, min_pairs=2)
    ids = [f"{words.replace('/', '')}{i}" for i in range(4)]
    for i, player in enumerate(ids):
        place = {"player": player, "table": 1 + i // 2, "seat": "NS"[i % 2]}
        await day.post("room/sit", place)
        await page(day, "/entries")
        await day.post("room/raise", {"player": player})
    await day.wait(21)
    await day.until("running", 1)
    await day.play(1)
    await day.until("finished")
    for path in ("", "/cross-table", "/rounds/1", "/boards/1", "/entries", "/entries/1"):
        found = check(await page(day, path))
        assert words.strip() in found.text.replace("\n", " ") or words in found.text, path
    for path in ("/en/events", "/en/"):
        assert words.strip() in check((await read(server.api, path)).body).text


async def test_of_a_round_in_play_no_page_tells_anything(server, clock):
    for kind in ("swiss_pairs", "pairs"):
        event = await secret_event(server, kind)
        for _ in range(2 if kind == "swiss_pairs" else 7):  # while it is played, or until it is published
            await check_secret(server, event)
            clock.advance(timedelta(seconds=24))
            await Day(server, event).tick()
        if kind == "pairs":
            await server.api.post(f"events/{event}/publish", {})
        else:
            clock.advance(timedelta(seconds=24))
            await Day(server, event).tick()
        text = (await read(server.api, f"/en/events/{event}/boards/1")).body
        assert "5<span" in text
        assert "secret" not in text
        assert 'data-result="' in text


async def secret_event(server, kind):
    """An event in its first round, of which every board is reported with what must not be seen."""
    if kind == "pairs":
        event = await event_days.running(server)
    else:
        day = Day(server)
        await day.announce(**event_days.QUICK)
        await day.enter(range(1, 5))
        await day.until("running", 1)
        event = day.id
    for table in (1, 2):
        for board in (1, 2):
            played = {"contract": "5DX", "declarer": "W", "tricks": 7}
            body = {"round": 1, "table": table, "board": board} | played
            answer = await server.api.post(f"events/{event}/results", body)
            assert answer.status == 201, answer
    return event


async def check_secret(server, event):
    """No page of the event tells a contract, a card, a score or a rank, whoever asks."""
    board = (await server.api.get(f"events/{event}/rounds/1")).body["boards"][0]["id"]
    result = (await server.api.get(f"boards/{board}/traveller", token="director")).body["results"][0]["id"]
    paths = [f"events/{event}{path}" for path in ("", "/cross-table", "/rounds/1", "/entries", "/entries/1")]
    paths += [f"events/{event}/boards/1", f"events/{event}/boards/2?player=x1", "", "events"]
    paths += [f"boards/{board}", f"results/{result}"]
    for token in ("public", "director", "admin", "events"):
        for path in paths:
            answer = await read(server.api, f"/en/{path}", token=token)
            text = answer.body.partition("<main")[2].partition('id="moving"')[0]
            assert answer.status == (403 if path.startswith("results/") else 200)
            for secret in ('class="contract"', "suit-d", "data-result", "ranks", 'class="dropped', "−800"):
                assert secret not in text, (path, secret)
            if "/entries/1" in path or path.endswith(event):
                assert "<dt>Rank</dt>" not in text
                assert 'class="placings"' not in text
