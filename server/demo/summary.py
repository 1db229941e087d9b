"""What the ratings say of a simulated world, and how near they come to what only the world knows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from server.bridge.pool import DEFAULT_POOL
from server.bridge.week import parse_week
from server.demo.plan import Plan
from server.storage import players, ratings, weeks
from server.world.truth import rank_correlation

_BEST = 5
_COLUMNS = ("player", "rate", "joint_index", "flags", "skill_rank")


@dataclass(frozen=True, slots=True)
class Listed:
    """Somebody on the rating list."""

    id: str
    name: str
    rank: int
    rate: float
    joint: float
    settled: bool  # not provisional
    skill: float  # the truth, in IMPs a board


@dataclass(frozen=True, slots=True)
class Summary:
    """The last rated week."""

    week: str
    checksum: str  # of its ratings
    people: tuple[Listed, ...]  # by rank

    def agreement(self) -> tuple[int, float, float] | None:
        """How many are settled, and how classic and joint indexes correlate with the truth, by rank."""
        settled = [each for each in self.people if each.settled]
        if len(settled) < 2:
            return None
        truth = [each.skill for each in settled]
        classic = rank_correlation([each.rate for each in settled], truth)
        return len(settled), classic, rank_correlation([each.joint for each in settled], truth)


def summary(connection: Connection, plan: Plan) -> Summary | None:
    """The last week that was rated; None when there is none."""
    row = weeks.published(connection, DEFAULT_POOL)
    if row is None or row.snapshot is None:
        return None
    truth = {person.id: person.skill(plan.number(parse_week(row.week))) for person in plan.world().people}
    columns = ratings.columns_of(connection, row.snapshot, _COLUMNS)
    found = zip(*(column.tolist() for column in columns), strict=True)
    listed = list(_listed(connection, list(found), truth))
    listed.sort(key=lambda each: each.rank)
    return Summary(row.week, ratings.get(connection, row.snapshot).checksum, tuple(listed))


def _listed(
    connection: Connection, rows: Sequence[tuple[int, float, float, int, int]], truth: dict[str, float]
) -> Iterator[Listed]:
    known = players.by_number(connection, (number for number, *_ in rows))
    for number, rate, joint, flags, rank in rows:
        player = known[number]
        if rank and player.id in truth:
            settled = not flags & ratings.PROVISIONAL
            yield Listed(player.id, player.shown_name, rank, rate, joint, settled, truth[player.id])


def lines(found: Summary) -> Iterator[str]:
    """The summary in words."""
    yield f"Ratings of {found.week}, checksum {found.checksum[:16]}; beside them what only the world knows:"
    yield ""
    yield "  rank  player                    classic  joint  true skill, IMPs a board"
    for each in found.people[:_BEST]:
        name = f"{each.name} ({each.id})"
        yield f"  {each.rank:4}  {name:24}  {each.rate:7.1f}  {each.joint:5.1f}  {each.skill:+.2f}"
    agreement = found.agreement()
    if agreement is not None:
        settled, classic, joint = agreement
        yield ""
        yield (
            f"Rank correlation of {settled} settled players with the truth: "
            f"classic {classic:.2f}, joint {joint:.2f}."
        )
