"""Results, voids and adjustments in any order, by every method: each answer is the straight reckoning's."""

import asyncio
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import factories
from tests.bridge import oracle
from tests.bridge.ruled import Story
from tests.web.scoring import Judge, points_of_ns, random_outcome, shown, tenth
from tests.web.verified import check_clean

METHODS = ("datum", "cross_imps", "matchpoints", "hcp_compensation")
SCORE_AT, RETIRE_AT = 3, 7
POOLS = {
    method: {
        "method": method,
        "score_at": SCORE_AT,
        "retire_at": RETIRE_AT,
        "trim": "tenth",
        "members": True,
    }
    for method in METHODS
}
steps = st.lists(st.sampled_from("rrrbaaav"), min_size=4, max_size=22)


@pytest.fixture
async def served(serve):
    """A server whose boards are scored with three results and retired with seven."""
    return await serve(pools=POOLS)


def against(own, others):
    """Datum IMPs of a score, in hundredths."""
    ns = 100 * oracle.imps(own - oracle.datum(others, tenth(len(others))))
    return ns, -ns


def sides(found):
    """A score of each side in hundredths; None stays None."""
    return None if found is None else shown(found)


class Walk:
    """One board, and its story as it is told to both."""

    def __init__(self, api, board, judge, seed):
        plain = judge.method == "datum"
        self.api, self.board, self.rng, self.judge = api, board, Random(seed), judge
        self.story = Story(judge.score_at, judge.retire_at, judge.score, against if plain else None)
        self.versions, self.names = {}, {}

    def standing(self):
        """What every result has now: state, award, field score."""
        live = self.story.live()
        state = "scored" if len(live) >= self.judge.score_at else "pending"
        return {
            sequence: (
                state if sequence in live else "void",
                self.story.award(sequence),
                self.story.field_score(sequence),
            )
            for sequence in range(1, self.story.arrived + 1)
        }

    async def take(self, step):
        """Report, one result or some in one batch; adjust or void."""
        if step in "rb":
            await self.report(1 if step == "r" else self.rng.randint(2, 4))
        elif self.story.live():
            await self.rule("adjust" if step == "a" else "void")

    async def report(self, count):
        """More results, in one commit; they are refused once the board was full."""
        outcomes = [random_outcome(self.rng, self.board["number"]) for _ in range(count)]
        rows = [factories.result(self.board, **outcome) for outcome, _ in outcomes]
        batch = [row | {"idempotency_key": row["table"]} for row in rows]
        answer = await self.api.post("results/batch", batch, key=None)
        for row, (_, score) in zip(answer.body["results"], outcomes, strict=True):
            self.arrived(row["status"], row["body"], score)

    def arrived(self, status, body, score):
        """A result was answered."""
        if self.story.retired:
            assert (status, body["type"]) == (409, "/problems/board-retired")
            return
        assert status == 201, body
        sequence = self.story.arrived + 1
        self.story.told.append((sequence, score))
        self.versions[sequence], self.names[sequence] = 1, body["id"]
        assert (body["sequence"], body["score"]) == (sequence, score)
        state, award, field = self.standing()[sequence]
        assert (body["state"], sides(body["award"]), sides(body["field"])) == (state, award, field)
        live = list(self.story.live().values())
        assert body["datum"] == self.judge.datum(live)
        assert body["board"]["results"] == len(live)

    async def rule(self, kind):
        """Rule on any result that is not void."""
        sequence = self.rng.choice(list(self.story.live()))
        outcome, score = random_outcome(self.rng, self.board["number"]) if kind == "adjust" else ({}, None)
        before = self.standing()
        name, version = self.names[sequence], self.versions[sequence]
        answer = await factories.rule(self.api, kind, name, version, **outcome)
        assert answer.status == 200, answer
        self.story.told.append((sequence, score))
        self.versions[sequence] += 1
        after = self.standing()
        moved = {move["sequence"]: move for move in answer.body["moves"]}
        assert moved.keys() == {each for each in after if before[each] != after[each]}
        for each, move in moved.items():
            for told, stands in ((move["before"], before[each]), (move["after"], after[each])):
                assert (told["state"], sides(told["award"]), sides(told["field"])) == stands
        assert answer.body["state"] == after[sequence][0]
        assert answer.body["version"] == self.versions[sequence]

    async def check(self):
        """Hold traveller and explanations against the story."""
        traveller = (await self.api.get(f"boards/{self.board['id']}/traveller", token="director")).body
        standing, live = self.standing(), self.story.live()
        assert traveller["datum"] == self.judge.datum(list(live.values()))
        if self.story.retired:
            assert traveller["board"]["state"] == "retired"
        assert traveller["board"]["version"] == 1 + sum(self.versions.values()) - self.story.arrived
        for row in traveller["results"]:
            sequence = row["sequence"]
            assert (row["state"], sides(row["award"]), sides(row["field"])) == standing[sequence]
            assert row["version"] == self.versions[sequence] == 1 + len(row.get("rulings", []))
            assert row["score"] == live.get(sequence, row["score"])
            assert row["rated"] == (row["state"] == "scored")
            await self.check_explained(row)

    async def check_explained(self, row):
        """The award is measured against what was there when it was given."""
        body = (await self.api.get(f"results/{row['id']}/explain", token="director")).body
        assert (body["award"] is None, body["field"] is None) == (row["award"] is None, row["field"] is None)
        if body["field"] is not None:
            assert body["field"]["scores"] == list(self.story.live().values())
            assert body["field"]["score"] == row["field"]
        if body["award"] is None:
            return
        scores, index = self.story.compared(row["sequence"])
        assert body["award"]["score"] == row["award"]
        if self.judge.method == "datum":
            assert body["award"]["scores"] == scores
            assert body["award"]["difference"] == row["score"] - body["award"]["datum"]
        else:
            scores[index] = row["score"]
            assert body["award"]["scores"] == scores


@settings(max_examples=max(8, settings.default.max_examples // 5))
@given(seed=st.integers(0, 2**32), method=st.sampled_from(METHODS), taken=steps)
async def test_whatever_is_ruled_everything_is_right(served, seed, method, taken):
    board = await factories.board(served.api, pool=method)
    deal = (await served.api.get(f"boards/{board['id']}", token="director")).body["deal"]
    walk = Walk(served.api, board, Judge(method, SCORE_AT, RETIRE_AT, points_of_ns(deal)), seed)
    for step in taken:
        await walk.take(step)
    await walk.check()
    await check_clean(served)


async def test_rulings_between_results_that_come_at_once(served):
    """Six clients report while two directors rule on whatever is there: nothing is lost or doubled."""
    api, boards = served.api, await factories.boards(served.api, 3, pool="datum")
    refused = {"board-retired"}

    async def report(board):
        for _ in range(6):
            answer = await api.post("results", factories.result(board))
            assert answer.status == 201 or answer.slug in refused, answer

    async def rule(board, rng):
        done = 0
        while done < 5:
            rows = (await api.get(f"boards/{board['id']}/traveller", token="director")).body["results"]
            live = [row for row in rows if row["state"] != "void"]
            if not live:
                await asyncio.sleep(0.01)
                continue
            row, kind = rng.choice(live), rng.choice(["void", "adjust"])
            body = {"contract": "PASS"} if kind == "adjust" else {}
            answer = await factories.rule(api, kind, row["id"], row["version"], **body)
            assert answer.status == 200 or answer.slug in ("stale-version", "already-void"), answer
            done += answer.status == 200

    async with asyncio.timeout(60):
        await asyncio.gather(
            *(report(board) for board in boards for _ in "12"),
            *(rule(board, Random(board["id"] + name)) for board in boards for name in "ab"),
        )
    await check_clean(served)
