"""What the browser tests look at: boards in every state, of every pool, with players of every kind."""

from dataclasses import dataclass
from itertools import count
from typing import Any

from tests import factories
from tests.api import Api
from tests.browser import season, tournaments
from tests.browser.season import Season
from tests.browser.tournaments import Tournaments
from tests.factories import WEEK
from tests.running import Served

DEALS = (
    "N:AK2.QJT9.543.876 QJT9.876.AK2.543 876.543.QJT9.AK2 543.AK2.876.QJT9",
    "N:A43.43.J8432.K64 J82.KQ8752.T6.52 K76.JT6.A97.AJ98 QT95.A9.KQ5.QT73",
    "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432",
    "N:QT95.A9.KQ5.QT73 A43.43.J8432.K64 J82.KQ8752.T6.52 K76.JT6.A97.AJ98",
)
POOLS = {
    "imps": {"method": "datum", "score_at": 6, "retire_at": 40, "trim": "tenth", "members": True},
    "mp": {"method": "matchpoints", "score_at": 6, "retire_at": 12, "trim": "tenth", "members": True},
    "guests": {
        "method": "hcp_compensation",
        "score_at": 1,
        "retire_at": 0,
        "trim": "tenth",
        "members": False,
    },
}
WEEKS = {"imps": WEEK, "mp": WEEK, "guests": "2026-W47"}
"""Boards without an end are shown when their week is over."""

PLAYED = (  # contract, declarer, tricks, lead in the leader's hand on the second deal
    *(("3NT", "W", 9, "S3"), ("3NT", "W", 8, "DJ"), ("2H", "E", 8, "CA"), ("4H", "E", 10, "S6")),
    *(("4HX", "E", 9, "CA"), ("1NT", "N", 6, "HK"), ("2NT", "W", 9, "D3"), ("5CXX", "S", 8, "DK")),
    *(("3NT", "W", 10, "D2"), ("4H", "E", 9, "CJ"), ("3NT", "W", 9, "D4"), ("PASS", None, None, None)),
    *(("2H", "E", 9, "S7"), ("3NT", "W", 9, "S4"), ("6NT", "W", 9, "C4"), ("2D", "N", 7, "HQ")),
)
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'-alert(1)-'",
    "{{7*7}}",
    "javascript:alert(1)",
    "=HYPERLINK(A1)",
    "&lt;b&gt;",
    "+1|cmd' ",
)


@dataclass(frozen=True)
class Scene:
    """Ids of what there is to see."""

    retired: str
    retired_results: list[str]
    mp: str
    mp_results: list[str]
    guests: str
    guests_results: list[str]
    corrected: str
    corrected_results: list[str]  # one is adjusted, one void
    pending: str
    scoring: str
    untouched: str
    hidden_result: str  # of a board in play
    player: str  # who sat West on the board with matchpoints
    season: Season
    tournaments: Tournaments


_fresh = count(1)


def players(names: str = "") -> dict[str, str]:
    """Four players of one table; ids with what browsers could take for markup when ``names`` says so."""
    number = next(_fresh)
    if not names:
        return {
            seat: f"{name}-{number}" for seat, name in zip("NESW", ("ann", "bo", "cy", "di"), strict=True)
        }
    return {seat: f"{names.replace('/', '')}{seat}{number}"[:64] for seat in "NESW"}


async def report(api: Api, board: str, number: int, hostile: str = "", **changes: Any) -> str:
    """One more result; its id."""
    contract, declarer, tricks, lead = PLAYED[number % len(PLAYED)]
    body: dict[str, Any] = {
        "board": board,
        "table": f"{hostile.replace('/', '')}T{next(_fresh)}"[:64],
        "players": players(hostile),
        "contract": contract,
        "played_at": "2026-11-25T11:00:00Z",
    }
    if declarer:
        body |= {"declarer": declarer, "tricks": tricks, "lead": lead}
    if hostile:
        body |= {"auction": [hostile[:64], "P"], "play": ["S3"]}
    answer = await api.post("results", body | changes)
    assert answer.status == 201, answer
    return str(answer.body["id"])


async def make(server: Served) -> Scene:
    """Play some of the open week."""
    api, made = server.api, {}
    for pool in ("imps", "mp", "guests"):
        numbered = [{"number": i + 1, "deal": DEALS[(i + 1) % 4]} for i in range(12)]
        answer = await api.post(
            "board-sets", {"week": WEEKS[pool], "pool": pool, "boards": numbered}, token="admin"
        )
        made[pool] = [board["id"] for board in answer.body["boards"]]
    retired, scoring, pending, untouched = made["imps"][0], *made["imps"][4:7]
    imps = [await report(api, retired, i, HOSTILE[i] if i < len(HOSTILE) else "") for i in range(40)]
    mp = [await report(api, made["mp"][0], i) for i in range(12)]
    guests = [await report(api, made["guests"][0], i) for i in range(3)]
    corrected = [await report(api, made["guests"][1], i, lead=None) for i in range(5)]
    await correct(api, corrected)
    for i in range(17):
        await report(api, scoring, i, lead=None)
    hidden = [await report(api, pending, i, lead=None) for i in range(4)]
    await name(api, retired)
    rows = (await api.get(f"boards/{made['mp'][0]}/traveller")).body["results"]
    return Scene(
        retired=retired,
        retired_results=imps,
        mp=made["mp"][0],
        mp_results=mp,
        guests=made["guests"][0],
        guests_results=guests,
        corrected=made["guests"][1],
        corrected_results=corrected,
        pending=pending,
        scoring=scoring,
        untouched=untouched,
        hidden_result=hidden[0],
        player=rows[8]["players"]["W"],
        season=await season.play(server, HOSTILE),
        tournaments=await tournaments.hold(server, HOSTILE),
    )


async def correct(api: Api, results: list[str]) -> None:
    """Rule on some of them, with reasons that browsers could take for markup."""
    ruled = (
        {"basis": "damage", "infraction": HOSTILE[0], "damage": HOSTILE[1], "result": "2HE-1"},
        {"basis": "score_error", "result": "3NTW+1"},
    )
    for version, (result, body) in enumerate(zip((results[1], results[1]), ruled, strict=True), 1):
        answer = await factories.rule(api, "adjust", result, version, reason=HOSTILE[2], **body)
        assert answer.status == 200, answer
    answer = await factories.rule(api, "void", results[3], reason="Reported twice; the other one stands.")
    assert answer.status == 200, answer


async def name(api: Api, board: str) -> None:
    """Give some players names, aliases, and hide one."""
    rows = (await api.get(f"boards/{board}/traveller", token="admin")).body["results"]
    for row, wanted in zip(
        rows,
        [
            {"name": HOSTILE[0]},
            {"alias": HOSTILE[1]},
            {"name": "李明 " * 20, "alias": "老李"},
            {"hidden": True},
        ],
        strict=False,
    ):
        answer = await api.put(f"players/{quoted(row['players']['N'])}", wanted, token="results")
        assert answer.status == 200, answer


def quoted(text: str) -> str:
    """As part of an address."""
    return "".join(f"%{byte:02X}" for byte in text.encode())
