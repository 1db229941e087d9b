"""How weeks of players came about, over HTTP: each total has its lines, whoever left, was new or ruled on."""

from datetime import UTC, datetime, timedelta

import pytest

from tests import factories
from tests.web.verified import check_clean

WEEK = timedelta(days=7)
BEFORE, NEXT = "2026-W47", "2026-W49"
SEATS = "NESW"
OPENED = datetime(2026, 11, 29, 16, 30, tzinfo=UTC)  # nobody can still play a board of the tests' week
TRICKS = (10, 11, 12, 12, 11, 11)  # of the tables of a board, in 4 spades by North: nothing is clamped


def table(*names):
    """Four players by seat."""
    return dict(zip(SEATS, names, strict=True))


async def play(api, board, players=None, **changes):
    """Six tables of a board: these players at the first, which does worst, else strangers; its result."""
    first, *_ = [
        (await factories.results(api, board, 1, tricks=tricks, **more))[0]
        for tricks, more in zip(
            TRICKS, ({"players": players or factories.four()} | changes, *[{}] * 5), strict=True
        )
    ]
    return first


async def leave(api, board, players, seat="N"):
    """Somebody leaves a table that nobody finishes; the disconnect."""
    body = {"player": players[seat], "board": board["id"], "table": factories.table(), "players": players}
    answer = await api.post("disconnects", body)
    assert answer.status == 201, answer
    return answer.body


async def rate(api, week=factories.WEEK):
    """Close a week and those before it; their revisions."""
    answer = await api.post(f"weeks/{week}/rate", None, token="admin")
    assert answer.status == 200, answer
    return {each["week"]: each["revision"] for each in answer.body["weeks"]}


async def explained(api, player, week=factories.WEEK, **options):
    """A player's week, whose lines add up to what it says that they do."""
    query = "".join(f"&viewer={name}" for name in [options.pop("viewer", None)] if name)
    answer = await api.get(f"players/{player}/weeks/{week}/explain?pool=imps{query}", **options)
    assert answer.status == 200, answer
    found, lines = answer.body, answer.body["lines"]
    rates = [line["board_rate"] for line in lines if line["board_rate"] is not None]
    assert [line["rated"] for line in lines] == [line["board_rate"] is not None for line in lines]
    assert found["lines_sum"]["points"] == pytest.approx(sum(line["points"] for line in lines))
    assert found["lines_sum"]["boards"] == sum(line["boards"] for line in lines)
    assert found["lines_sum"]["board_rates"] == len(rates)
    mean = sum(rates) / len(rates) if rates else None
    assert found["lines_sum"]["week_rate"] == (None if mean is None else pytest.approx(mean, abs=1e-5))
    if found["revision"] and not found["changed_since"] and not found["hidden_boards"]:
        published = {name: found[name] for name in found["lines_sum"]}
        assert published == {**found["lines_sum"], "week_rate": pytest.approx(mean, abs=1e-5)}
    return found


def by_number(found):
    """Lines by number of board."""
    return {line["number"]: line for line in found["lines"]}


async def test_a_newcomer_moves_nobody_else(serve, clock):
    api = (await serve(rating={"shield_boards": 1})).api
    old = table("ann", "eve", "sam", "wes")
    (first,) = await factories.boards(api, 1)
    await play(api, first, old)
    clock.advance(WEEK)
    await rate(api)
    one, two = await factories.boards(api, 2, NEXT)
    # Board 1: a newcomer in West's place, at a table of people who are known. Board 2: without him.
    await play(api, one, old | {"W": "new"})
    await play(api, two, old)
    clock.advance(WEEK)
    await rate(api, NEXT)
    ann, new, wes = [await explained(api, name, NEXT, token="public") for name in ("ann", "new", "wes")]
    shielded = by_number(ann)[1]
    assert (shielded["rated"], shielded["reason"]) == (False, "newcomer-at-table")
    assert shielded["points"] < 0
    assert shielded["text"] == "-1 point; rated for the newcomers at the table only."
    assert shielded["table"]["board_rates"]["N"] != by_number(ann)[2]["board_rate"]
    assert (ann["boards"], ann["board_rates"]) == (2, 1)
    assert ann["text"][1].startswith("Week Rate: the one board Rate is ")
    # He is moved by it, from the three Rates that the others brought into the week.
    (line,) = new["lines"]
    before = {
        name: (await api.get(f"players/{name}/weeks")).body["weeks"][1]["skill_index"]
        for name in ("ann", "eve", "sam")
    }
    s4, share = sum(before.values()) + 50, 0.5 - line["table"]["x"] / 15
    assert share > 0.5
    assert line["board_rate"] == pytest.approx(share * s4 * 50 / (50 + before["eve"]), abs=1e-5)
    assert (new["board_rates"], new["old_rate"]) == (1, 50)
    assert wes["board_rates"] == 1


async def test_a_substitute_has_a_line_that_counts_nothing(serve, clock):
    api = (await serve(rating={"shield_boards": 0})).api
    board = await factories.board(api)
    await play(api, board, table("ann", "eve", "sam", "sub"), substitutes={"W": "wes"})
    await play(api, await factories.board(api), table("ann", "eve", "sam", "sub"))
    clock.advance(WEEK)
    await rate(api)
    sub, wes = await explained(api, "sub"), await explained(api, "wes")
    sat_in = by_number(sub)[1]
    assert (sat_in["seat"], sat_in["points"], sat_in["boards"], sat_in["rated"]) == (None, 0, 0, False)
    assert (sat_in["reason"], sat_in["players"]["W"], sat_in["disconnect"]) == ("substitute", "wes", None)
    assert sat_in["text"] == "0 points; not rated: a substitute played."
    assert (sub["boards"], sub["board_rates"]) == (1, 1)
    (left,) = wes["lines"]
    assert (left["seat"], left["points"], left["boards"], left["board_rate"]) == ("W", -16, 1, 0)
    assert left["disconnected"]
    assert left["disconnect"].startswith("d_")
    assert left["text"] == "Disconnected: -16 points, board Rate 0."
    assert wes["text"][0] == "-16 points on 1 board."
    assert wes["text"][1] == "Week Rate: the one board Rate is 0.000000."


async def test_a_partners_zero_has_a_line_until_it_is_lifted(serve, clock):
    served = await serve(rating={"shield_boards": 0})
    api, pair = served.api, table("ann", "eve", "ben", "wes")
    earlier = await factories.board(api, BEFORE)
    await leave(api, earlier, pair)  # the free one, a week ago
    one, two, three = await factories.boards(api, 3)
    again = await leave(api, one, pair)
    await play(api, two, pair)
    await leave(api, three, pair | {"S": "zoe"})  # of another pair
    clock.advance(WEEK)
    await rate(api)
    ben, ann = await explained(api, "ben", token="public"), await explained(api, "ann", token="public")
    zero = by_number(ben)[1]
    assert (zero["board"], zero["result"], zero["seat"]) == (one["id"], None, "S")
    assert (zero["leaver"], zero["disconnect"], zero["players"]) == ("ann", again["id"], pair)
    assert (zero["disconnected"], zero["points"], zero["boards"]) == (False, 0, 0)
    assert (zero["rated"], zero["board_rate"], zero["reason"]) == (True, 0, None)
    assert f"({again['id']})" in zero["text"]
    assert zero["text"].startswith("The partner ann abandoned the board")
    assert ben["text"][0].startswith("1 line is a Rate of 0 for a board that a partner abandoned, ")
    assert (ben["other_zeros"], ben["boards"], ben["board_rates"]) == (1, 1, 2)
    assert ben["week_rate"] == pytest.approx(by_number(ben)[2]["board_rate"] / 2, abs=1e-5)
    # The leaver has her own lines, with everybody who sat there.
    own = by_number(ann)
    assert (own[1]["seat"], own[1]["players"], own[1]["disconnect"]) == ("N", pair, again["id"])
    assert [own[number]["disconnected"] for number in (1, 2, 3)] == [True, False, True]
    assert (ann["other_zeros"], ann["boards"], ann["board_rates"]) == (0, 3, 3)
    for name in ("zoe", "eve"):  # once for a pair; and opponents never
        assert (await explained(api, name))["other_zeros"] == 0
    # A director lifts it: at once the line is gone, and with the next revision from the figures.
    lifted = await api.post(f"disconnects/{again['id']}/lift", {"reason": "he waited"}, token="director")
    assert lifted.status == 200
    dirty = await explained(api, "ben")
    assert (dirty["changed_since"], dirty["state"], dirty["other_zeros"]) == (True, "dirty", 0)
    assert list(by_number(dirty)) == [2]
    assert (dirty["board_rates"], dirty["lines_sum"]["board_rates"]) == (2, 1)
    assert await rate(api) == {factories.WEEK: 2}
    after = await explained(api, "ben")
    assert (after["changed_since"], after["revision"], after["other_zeros"]) == (False, 2, 0)
    assert (after["board_rates"], after["lines"]) == (1, dirty["lines"])
    assert len((await explained(api, "ann"))["lines"]) == 3
    await check_clean(served)


async def test_where_the_rule_is_off_there_is_no_zero(serve, clock):
    api = (await serve(rating={"shield_boards": 0, "partner_of_leaver": False})).api
    pair = table("ann", "eve", "ben", "wes")
    one, two, three = await factories.boards(api, 3)
    for board in (one, two):
        await leave(api, board, pair)
    await play(api, three, pair)
    clock.advance(WEEK)
    await rate(api)
    ben = await explained(api, "ben")
    assert (list(by_number(ben)), ben["other_zeros"], ben["board_rates"]) == ([3], 0, 1)


async def test_a_changed_week_tells_both_what_was_published_and_what_is(serve, clock):
    api, four = (await serve(rating={"shield_boards": 0})).api, table("ann", "eve", "sam", "wes")
    one, two = await factories.boards(api, 2)
    result = await play(api, one, four)
    await play(api, two, four)
    clock.advance(WEEK)
    await rate(api)
    before = await explained(api, "ann")
    assert (before["changed_since"], before["revision"], before["boards"]) == (False, 1, 2)
    assert (await factories.rule(api, "void", result["id"])).status == 200
    for name in four.values():  # nobody's partner has abandoned anything
        dirty = await explained(api, name, token="public")
        assert (dirty["changed_since"], dirty["other_zeros"], dirty["boards"]) == (True, 0, 2)
        assert list(by_number(dirty)) == [2]
    dirty = await explained(api, "ann")
    published = ("points", "boards", "board_rates", "week_rate", "old_rate", "new_rate", "new_weight")
    assert {name: dirty[name] for name in published} == {name: before[name] for name in published}
    assert (before["points"], dirty["lines_sum"]["points"]) == (-2, -1)
    assert before["text"][0] == "-2 points on 2 boards."
    assert dirty["text"][0].startswith(
        "Something has changed in this week, or in one before it, since revision 1 was made. "
        "The lines are as of now: -1 point on 1 board; the one board Rate is "
    )
    assert dirty["text"][1] == "Revision 1: -2 points on 2 boards."
    await rate(api)
    after = await explained(api, "ann")
    assert (after["revision"], after["changed_since"], after["points"]) == (2, False, -1)
    assert after["lines"] == dirty["lines"]


async def test_a_week_upon_a_changed_one_is_told_to_be_rated_again(serve, clock):
    api, four = (await serve(rating={"shield_boards": 0})).api, table("ann", "eve", "sam", "wes")
    result = await play(api, await factories.board(api), four)
    await play(api, await factories.board(api), four)
    clock.advance(WEEK)
    await play(api, await factories.board(api, NEXT), four)
    clock.advance(WEEK)
    await rate(api, NEXT)
    assert (await factories.rule(api, "void", result["id"])).status == 200
    later = await explained(api, "ann", NEXT)
    assert later["changed_since"]
    assert {name: later[name] for name in later["lines_sum"]} == later["lines_sum"]
    assert await rate(api) == {factories.WEEK: 2}
    assert (await explained(api, "ann", NEXT))["changed_since"]
    assert (await rate(api, NEXT))[NEXT] == 2
    assert not (await explained(api, "ann", NEXT))["changed_since"]


async def test_who_comes_into_a_week_that_is_rated_already_is_told_of_it(serve, clock):
    api = (await serve(rating={"shield_boards": 0})).api
    board = await factories.board(api)
    await play(api, board)
    clock.advance(WEEK - timedelta(days=2))  # within the window for late results
    await rate(api)
    missing = await api.get(f"players/late/weeks/{factories.WEEK}/explain")
    assert (missing.status, missing.slug) == (404, "not-found")
    await factories.results(api, board, 1, players=table("late", "e", "s", "w"), tricks=12)
    late = await explained(api, "late")
    assert (late["revision"], late["changed_since"], late["points"], late["new_rate"]) == (
        1,
        True,
        None,
        None,
    )
    assert (late["lines_sum"]["boards"], late["lines_sum"]["board_rates"]) == (1, 1)
    await rate(api)
    after = await explained(api, "late")
    assert (after["revision"], after["boards"], after["lines"]) == (2, 1, late["lines"])


async def test_an_ended_week_has_lines_before_it_is_rated(serve, clock):
    api, four = (await serve(rating={"shield_boards": 0})).api, table("ann", "eve", "sam", "wes")
    one, two, three, four_more = await factories.boards(api, 4)
    await play(api, one, four)
    await factories.results(api, two, 1, players=four)  # too few
    await play(api, three, table("ann", "eve", "sam", "sub"), substitutes={"W": "wes"})
    await leave(api, four_more, four)
    clock.set(OPENED)
    ann, sub = await explained(api, "ann", token="public"), await explained(api, "sub", token="public")
    assert (ann["state"], ann["revision"], ann["changed_since"]) == ("ended", 0, False)
    names = ("points", "boards", "board_rates", "week_rate", "old_rate", "past_weight", "new_rate")
    assert [ann[name] for name in names] == [None] * len(names)
    lines = by_number(ann)
    assert not any(line["rated"] or line["table"] for line in lines.values())
    assert [lines[number]["reason"] for number in (1, 2, 3, 4)] == [None, "too-few-results", None, None]
    assert lines[4]["text"] == "Disconnected: -16 points."
    assert lines[4]["players"] == four
    assert lines[1]["text"] == "-1 point; no board Rate before the week is rated."
    assert lines[2]["text"] == "0 points; not rated: the board had too few results when its week closed."
    assert ann["lines_sum"]["boards"] == 4
    assert ann["text"][0].startswith("The week is over, and not rated yet: there are no Rates.")
    (sat_in,) = sub["lines"]
    assert (sat_in["reason"], sub["lines_sum"]["boards"]) == ("substitute", 0)
    # Partners bear nothing before there are Rates.
    assert 4 not in by_number(await explained(api, "sam"))
    await rate(api)
    rated = await explained(api, "ann")
    assert (rated["points"], rated["boards"]) == (ann["lines_sum"]["points"], 4)
    # Whoever did not play has no line; a week without boards is none.
    other = await explained(api, "ann", NEXT)
    assert (other["state"], other["lines"], other["hidden_boards"]) == ("open", [], 0)
    for week in ("2026-W40", "2026-W50"):
        assert (await api.get(f"players/ann/weeks/{week}/explain")).slug == "not-found"
