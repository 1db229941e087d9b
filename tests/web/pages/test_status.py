"""The status page."""

from sqlalchemy import text

from tests import factories
from tests.web.page import check, read


async def test_it_says_that_everything_works(api):
    await factories.results(api, await factories.board(api), 1)
    answer = await read(api, "/en/status")
    page = check(answer.body)
    assert answer.status == 200
    for words in ("Everything works", "2026-W48", "Asia/Shanghai", "takes results"):
        assert words in page.text
    assert "simulated" not in page.text


async def test_it_says_what_does_not(server):
    older = text("UPDATE alembic_version SET version_num = '0001'")
    await server.database.write(lambda connection: connection.execute(older))
    answer = await read(server.api, "/zh/status")
    assert answer.status == 503
    assert "有部分不正常" in check(answer.body).text
