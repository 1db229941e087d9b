"""The audit over HTTP: everything that anybody changed, newest first."""

from tests import factories


async def rows_of(api, **params):
    """Every row, page by page; and the sizes of the pages."""
    rows, sizes = [], []
    answer = await api.get("audit", params=params)
    while True:
        rows += answer.body["rows"]
        sizes.append(len(answer.body["rows"]))
        link = answer.headers.get("Link")
        assert (link is None) == (answer.body["cursor"] is None)
        if link is None:
            return rows, sizes
        answer = await api.get(link.split("; ")[0].strip("<>"))


async def test_whoever_changed_something_is_noted(api):
    board = await factories.board(api)
    (one, two) = await factories.results(api, board, 2)
    seats = factories.four()
    await api.post("assignments", {"table": "T", "players": seats})
    await api.put("players/ann", {"name": "Ann"})
    left = {"player": seats["N"], "board": board["id"], "table": "T", "players": seats}
    disconnect = (await api.post("disconnects", left)).body
    await factories.rule(api, "adjust", one["id"], contract="PASS", reason="a slip")
    await factories.rule(api, "void", two["id"], reason="a fault")
    await api.delete(f"disconnects/{disconnect['id']}", params={"reason": "no fault"})
    rows, _ = await rows_of(api)
    noted = [(row["client"], row["verb"], row["subject"]) for row in rows]
    assert noted[:9] == [
        ("director client", "disconnect-void", board["id"]),
        ("director client", "void", two["id"]),
        ("director client", "adjust", one["id"]),
        ("results client", "disconnect", board["id"]),
        ("results client", "player", noted[4][2]),
        ("results client", "assignment", board["id"]),
        ("results client", "result", two["id"]),
        ("results client", "result", one["id"]),
        ("admin client", "board set", "2026-W48 imps"),
    ]
    assert rows[0]["at"] == "2026-11-25T12:00:00Z"
    assert "ann" not in str([row["detail"] for row in rows[:9]])  # players appear by number


async def test_it_comes_page_by_page_newest_first(api):
    board = await factories.board(api)
    await factories.results(api, board, 7)
    everything, _ = await rows_of(api)
    subjects = [row["subject"] for row in everything if row["verb"] == "result"]
    assert subjects == sorted(subjects, reverse=True)
    assert len(subjects) == 7
    rows, sizes = await rows_of(api, limit="4")
    assert rows == everything
    assert sizes == [4] * (len(rows) // 4) + [len(rows) % 4] * (len(rows) % 4 > 0)


async def test_what_is_added_meanwhile_moves_nothing(api):
    board = await factories.board(api)
    await factories.results(api, board, 4)
    everything, _ = await rows_of(api)
    first = await api.get("audit", params={"limit": "2"})
    await factories.results(api, board, 2)
    rest = await api.get("audit", params={"cursor": first.body["cursor"], "limit": "200"})
    assert first.body["rows"] + rest.body["rows"] == everything


async def test_a_director_who_plays_reads_no_details_of_boards_he_may_still_play(server, api):
    board = await factories.board(api)
    (result,) = await factories.results(api, board, 1)
    await factories.rule(api, "adjust", result["id"], contract="PASS", reason="the queen of hearts was shown")
    await api.put("players/ann", {"alias": "A"})
    chief = await server.token("chief", "director", player="chief")
    hidden = (await api.get("audit", token=chief)).body["rows"]
    assert [(row["verb"], row["detail"]) for row in hidden[1:4]] == [
        ("player", "alias"),
        ("adjust", None),
        ("result", None),
    ]
    assert "queen" not in str(hidden)
    await factories.results(api, board, 39)  # it is retired, and revealed
    told = (await api.get("audit", token=chief)).body["rows"]
    assert all(row["detail"] is not None for row in told)
    assert "queen" in str(told)
