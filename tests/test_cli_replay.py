"""``crossruff replay``: the tables of a file, posted to a running server as a platform would."""

from random import Random

import pytest

from tests import factories
from tests.commands import run_beside
from tests.formats.pbn_files import game
from tests.processes import crossruff
from tests.web.scoring import Judge, check_traveller, random_outcome

DEAL = "N:AK2.QJT9.543.876 QJT9.876.AK2.543 876.543.QJT9.AK2 543.AK2.876.QJT9"
COLUMNS = "PairId_NS;PairId_EW;Contract;Declarer;Result"
BOARDS = {1: ("None", DEAL), 2: ("NS", None)}  # vulnerability and cards by number


def rows_of(rng, number, count, first=1):
    """Rows of a ScoreTable, and their scores for NS."""
    rows, scores = [], []
    for table in range(first, first + count):
        outcome, score = random_outcome(rng, number)
        contract = "Pass" if outcome["contract"] == "PASS" else outcome["contract"]
        result = "-" if outcome["tricks"] is None else outcome["tricks"]
        rows.append(f"{table} {table + 100} {contract} {outcome['declarer'] or '-'} {result}")
        scores.append(score)
    return rows, scores


@pytest.fixture
def file(tmp_path):
    """A file of 45 tables on two boards, its path and the scores of each board."""
    rng, games, scores = Random(17), [], []
    for number, (vulnerable, deal) in BOARDS.items():
        rows, found = rows_of(rng, number, 45)
        tags = {"Board": str(number), "Dealer": "NESW"[number - 1], "Vulnerable": vulnerable}
        cards = {} if deal is None else {"Deal": deal}
        games.append(game(f'[ScoreTable "{COLUMNS}"]', *rows, **tags, **cards))
        scores.append(found)
    path = tmp_path / "tournament.pbn"
    path.write_text("\n".join(games))
    return path, scores


async def replay(api, path, *more, token="admin"):
    """Run the command against the server."""
    return await run_beside("replay", path, "--to", api.url, "--token", api.tokens[token], *more)


async def travellers(api, pool="imps"):
    """The traveller of every board of the open week."""
    boards = (await api.get("boards", params={"pool": pool})).body["boards"]
    return [(await api.get(f"boards/{board['id']}/traveller", token="director")).body for board in boards]


async def test_forty_of_forty_five_tables_are_taken_and_the_boards_retire(api, file):
    path, scores = file
    done = await crossruff("replay", str(path), "--to", api.url, REPLAY_TOKEN=api.tokens["admin"])
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "90 tables of 2 boards posted: 80 accepted",
        "  10 refused: board-retired",
        "  2 boards retired",
    ]
    found = await travellers(api)
    for traveller, expected in zip(found, scores, strict=True):
        check_traveller(Judge("datum"), traveller, expected[:40])
    assert [traveller["board"]["deal"] for traveller in found] == [DEAL, None]
    players = found[0]["results"][0]["players"]
    assert players["N"].endswith("-1-1")
    assert players["S"].endswith("-1-2")


async def test_a_second_replay_takes_further_numbers(api, file):
    path, _ = file
    await factories.boards(api, 3)
    for _ in range(2):
        assert (await replay(api, path)).exit_code == 0
    found = await travellers(api)
    assert [traveller["board"]["number"] for traveller in found] == list(range(1, 8))
    assert [traveller["board"]["results"] for traveller in found] == [0] * 3 + [40] * 4
    assert [traveller["board"]["dealer"] for traveller in found[3:]] == ["N", "E", "N", "E"]


async def test_a_replay_goes_into_the_pool_and_week_that_are_named(api, file):
    path, scores = file
    done = await replay(api, path, "--pool", "mp", "--week", "2026-W40")
    assert done.exit_code == 0
    boards = (await api.get("boards", params={"pool": "mp", "week": "2026-W40"})).body["boards"]
    traveller = (await api.get(f"boards/{boards[1]['id']}/traveller", token="director")).body
    check_traveller(Judge("matchpoints"), traveller, scores[1][:40])


async def test_pairs_without_a_name_are_invented(api, tmp_path):
    rows = ["??? ??? 4S N 10", "??? ??? 3NT S 9", "- 7 Pass - -"]
    path = tmp_path / "odd.pbn"
    path.write_text(game(f'[ScoreTable "{COLUMNS}"]', *rows, Board="1", Dealer="N", Vulnerable="None"))
    done = await replay(api, path)
    assert done.exit_code == 0, done
    assert "3 accepted" in done.stdout
    (traveller,) = await travellers(api)
    assert [row["score"] for row in traveller["results"]] == [420, 400, 0]
    names = [name for row in traveller["results"] for name in row["players"].values()]
    assert len(set(names)) == 12


async def test_a_pair_that_plays_a_board_twice_is_refused(api, tmp_path):
    rows = ["1 2 4S N 10", "1 3 4S N 9"]
    path = tmp_path / "twice.pbn"
    path.write_text(game(f'[ScoreTable "{COLUMNS}"]', *rows, Board="1", Dealer="N", Vulnerable="None"))
    done = await replay(api, path)
    assert done.exit_code == 1
    assert "  1 refused: already-played" in done.stdout


async def test_what_cannot_be_replayed_is_refused_in_words(api, file, tmp_path):
    path, _ = file
    empty, photo = tmp_path / "empty.pbn", tmp_path / "photo.jpg"
    empty.write_text(game(Board="1", Vulnerable="None"))
    photo.write_bytes(bytes(range(256)))
    refused = [
        (await replay(api, path, token="boards"), "90 refused: scope-missing"),
        (await replay(api, path, token="results"), "scope boards:write"),
        (await replay(api, path, "--pool", "none"), "'none'"),
        (await replay(api, path, "--week", "2026-W99"), "week"),
        (await replay(api, empty), "no table with a result"),
        (await replay(api, photo), "neither PBN nor USEBIO"),
        (await run_beside("replay", path, "--to", "http://127.0.0.1:1"), "127.0.0.1"),
    ]
    for done, words in refused:
        assert done.exit_code == 1, words
        assert "Traceback" not in done.output
        assert words in done.output
    for arguments in ([], [str(path)], [str(tmp_path / "nowhere"), "--to", api.url]):
        assert (await run_beside("replay", *arguments)).exit_code == 2
