"""The weekly report as directors read it."""

from datetime import timedelta

from tests import factories

SEATS = "NESW"


async def test_what_is_out_of_the_ordinary_is_named(api, clock):
    four = dict(zip(SEATS, ("ann", "bob", "cat", "dan"), strict=True))
    await api.put("players/ann", {"name": "Ann"})
    for board in await factories.boards(api, 8):
        await factories.results(api, board, 5, contract="2S", declarer="N", tricks=3)
        posted = factories.result(board, players=four, contract="6S", declarer="N", tricks=12)
        assert (await api.post("results", posted)).status == 201
    clock.advance(timedelta(days=7))
    unrated = await api.get(f"weeks/{factories.WEEK}/watch", token="director")
    assert (unrated.status, unrated.slug) == (404, "not-found")
    await api.post(f"weeks/{factories.WEEK}/rate", None, token="admin")
    body = (await api.get(f"weeks/{factories.WEEK}/watch", token="director")).body
    assert (body["week"], body["pool"], body["weeks"]) == (factories.WEEK, "imps", [factories.WEEK])
    line = body["lines"][0]
    assert line["why"] == "novices"
    assert {each["id"] for line in body["lines"] for each in line["players"]} == {"ann", "cat"}
    same = [each for each in body["lines"] if each["why"] == "same-opponents"]
    assert [each["players"] for each in same] == [
        [{"id": "ann", "name": "Ann"}],
        [{"id": "cat", "name": "cat"}],
    ]
    assert [each["id"] for each in same[0]["opponents"]] == ["bob", "dan"]
    assert same[0]["boards"] == 8
    assert same[0]["excess"] > 60
    assert same[0]["z"] > 4


async def test_a_pool_that_is_not_there_is_refused(api):
    unknown = await api.get(f"weeks/{factories.WEEK}/watch?pool=none", token="director")
    assert (unknown.status, unknown.slug) == (422, "unknown-pool")
