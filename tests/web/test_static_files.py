"""Style, script and icon."""

import re

from server.web import static_files


async def test_a_file_is_kept_for_good_by_its_digest_and_for_an_hour_without(api):
    for name, kind in (
        ("crossruff.css", "text/css"),
        ("icon.svg", "image/svg+xml"),
        ("live.js", "text/javascript"),
    ):
        address = static_files.address(name)
        answer = await api.get(address)
        assert (answer.status, answer.headers["Content-Type"]) == (200, kind)
        assert "immutable" in answer.headers["Cache-Control"]
        for other in (f"/static/{name}", f"/static/{name}?v=old"):
            assert (await api.get(other)).headers["Cache-Control"] == "public, max-age=3600"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_a_file_is_packed_for_who_can_unpack_it(api):
    plain = await api.get("/static/crossruff.css", headers={"Accept-Encoding": "identity"})
    packed = await api.get("/static/crossruff.css", headers={"Accept-Encoding": "gzip, br"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.raw == plain.raw
    assert "Accept-Encoding" in plain.headers["Vary"]


async def test_no_file_names_another_host(api):
    for name in ("crossruff.css", "icon.svg", "moments.js", "tables.js", "live.js", "display.js"):
        text = (await api.get(f"/static/{name}")).raw.decode().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|url\(|@import", text)


async def test_a_theme_is_colours_alone(api):
    """So that whatever fits on a page in one theme does in the other: the browser tests look in one."""
    style = (await api.get("/static/crossruff.css")).raw.decode()
    assert "prefers-color-scheme" not in style
    themed = [line.strip() for line in style.splitlines() if "light-dark(" in line or "data-theme" in line]
    assert len(themed) > 15
    for line in themed:
        assert re.fullmatch(
            r"--[a-z-]+: light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\);"
            r"|:root\[data-theme=\"(light|dark)\"\] \{ color-scheme: \1; \}"
            r"|:root, :root\[data-theme\] \{ color-scheme: light;( --[a-z]+: #fff;)+ \}",
            line,
        )
    for name in ("charts.js", "display.js", "live.js", "moments.js", "tables.js"):
        script = (await api.get(f"/static/{name}")).raw.decode()
        assert "color-scheme" not in script
        assert script.count("theme") == (2 if name == "display.js" else 0)


async def test_nothing_beside_them_is_served(api):
    for path in (
        "/static/",
        "/static/../pages.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/no.js",
    ):
        answer = await api.get(path)
        assert answer.status in (403, 404)
        assert "import" not in answer.raw.decode()
