"""What operators ask: whether it lives, whether it can work, what it has done."""

import asyncio
import re

from server.storage import migrations
from tests import factories
from tests.long.streams import Stream

HEALTHY = {"status": "ok"}


async def figures(api):
    """Every figure of /metrics, by its name with labels."""
    answer = await api.get("/metrics")
    assert (answer.status, answer.headers["Content-Type"][:25]) == (200, "text/plain; version=0.0.4")
    lines = [line for line in answer.body.splitlines() if line and not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


async def moved(api, verb):
    """By how much ``verb`` moves each figure."""
    before = await figures(api)
    await verb
    after = await figures(api)
    return {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)}


async def test_it_lives_and_can_work(api):
    for path in ("/healthz", "/readyz"):
        answer = await api.get(path)
        assert (answer.status, answer.body) == (200, HEALTHY)


async def test_another_schema_is_not_ready_but_alive(server):
    await server.database.write(lambda connection: migrations.downgrade(connection, "base"))
    answer = await server.api.get("/readyz")
    assert (answer.status, answer.slug) == (503, "busy")
    assert int(answer.headers["Retry-After"]) >= 1
    assert (await server.api.get("/healthz")).body == HEALTHY
    await server.database.write(migrations.upgrade)
    assert (await server.api.get("/readyz")).body == HEALTHY


async def test_a_result_moves_its_figures(api):
    board = await factories.board(api)
    change = await moved(api, factories.results(api, board, 3))
    assert change["crossruff_results_total"] == 3
    assert change["crossruff_ingest_commit_seconds_count"] == 3
    assert change["crossruff_ingest_batch_size_count"] == 3
    assert change["crossruff_ingest_batch_size_sum"] == 3
    assert change['crossruff_requests_total{route="/api/v1/results",status="201"}'] == 3
    assert change['crossruff_request_seconds_count{route="/api/v1/results"}'] == 3


async def test_a_stream_is_no_slow_answer(api):
    board = await factories.board(api)

    async def follow() -> None:
        for address in (f"board:{board['id']}", "week:2026-W48", "board:b_zzzzzz"):
            stream = Stream(api.url, address)
            await stream.open()
            await stream.close()
        async with asyncio.timeout(20):
            while "crossruff_followers 0.0" not in (await api.get("/metrics")).body:  # noqa: ASYNC110 - nothing tells when it is so
                await asyncio.sleep(0.05)

    change = await moved(api, follow())
    route = "/api/v1/channels/{name}/stream"
    assert change[f'crossruff_requests_total{{route="{route}",status="200"}}'] == 2
    assert change[f'crossruff_request_seconds_count{{route="{route}"}}'] == 1  # the refusal


async def test_a_replay_is_no_new_result(api):
    body = factories.result(await factories.board(api))
    await api.post("results", body, key="K")
    change = await moved(api, api.post("results", body, key="K"))
    assert "crossruff_results_total" not in change


async def test_refusals_are_counted_by_kind_in_batches_too(api):
    board = await factories.board(api)
    bad = factories.result(board, tricks=14)
    row = bad | {"idempotency_key": "K"}
    change = await moved(api, api.post("results/batch", [row, row, 5], key=None))
    assert change['crossruff_refused_total{problem="invalid-result"}'] == 2
    assert change['crossruff_refused_total{problem="invalid-body"}'] == 1
    change = await moved(api, api.post("results", bad))
    assert change['crossruff_refused_total{problem="invalid-result"}'] == 1
    assert change['crossruff_requests_total{route="/api/v1/results",status="422"}'] == 1


async def test_addresses_that_do_not_exist_make_no_new_figures(api):
    await api.get("/one")
    change = await moved(api, api.get("/another/thing"))
    assert change['crossruff_requests_total{route="(none)",status="404"}'] == 1
    named = "".join(await figures(api))
    assert "another" not in named
    await api.get("boards/b_00zzzz")
    assert "zzzz" not in "".join(await figures(api))


async def test_figures_name_no_player_board_or_token(api):
    board = await factories.board(api)
    await factories.results(api, board, 1)
    text = (await api.get("/metrics")).body
    assert not re.search(r"b_0|ann-|T-\d|cr_", text)
    assert "crossruff_ingest_queue 0.0" in text
    assert "crossruff_ingest_queue_seconds 0.0" in text
