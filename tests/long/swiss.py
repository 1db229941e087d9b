"""A whole Swiss pairs by its clock, the server killed on the way: nothing comes out otherwise.

The same pairs enter two events, one after the other, on a simulated clock, and do the same in both: they come
to their tables, ask for boards and report them, the same result wherever the same pairs meet on a board.
Some boards are cut off by the end of the round, some are reported while it is closed; a pair comes late, one
stays away and is ready again, one leaves; somebody sits out. The first event is left alone. In the second one
the server is killed while results come in, while a round is closed, and before the end of a round that passes
without it. Rounds, seats and the final ranking must be the same, and `tests.event_judge` judges each event.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from server.services import bulletins
from server.storage.database import open_database
from tests.bridge.swiss_checker import Fault
from tests.event_judge import judge
from tests.long.places import Place
from tests.long.program import Run, main
from tests.long.servers import Server, command, free_port
from tests.long.swiss_day import Day, Held, Kills, Profile

BEGINS = datetime.fromisoformat("2026-11-27T12:00:00+00:00")

SHORT = Profile(8, 2, 3, entering=4, play=8, kill_in_play=False, ranked_within=30)  # where others work too
DEFAULT = Profile(pairs=40, rounds=5, boards=4, entering=25, play=14)
LONG = Profile(pairs=160, rounds=10, boards=8, entering=40, play=16, asking=4)


@dataclass
class Programme:
    """What is held, and where."""

    run: Run
    place: Place
    server: Server
    profile: Profile

    async def hold(self, kills: Kills) -> Held:
        """An event from sign-up to the final ranking, judged."""
        day = Day(self.run, self.server, self.profile, kills)
        try:
            held = await day.hold()
            await judge(day, held.diary, self.run.seed)
        except Fault as fault:
            self.run.fault("the server is killed:" if kills else "undisturbed:", str(fault)[:1000])
        finally:
            await day.close()
        held = day.held
        within = self.profile.ranked_within
        self.run.check(held.ranked_after <= within, "ranked only after", held.ranked_after, "s")
        return held


async def play(run: Run, place: Place, profile: Profile) -> None:
    """Hold it twice."""
    settings = {"CROSSRUFF_CLOCK": f"{BEGINS.isoformat()},{profile.speed}"}
    server = Server(place, port=free_port(), **settings)
    programme = Programme(run, place, server, profile)
    try:
        await server.start()
        alone = await programme.hold(Kills())
        # A machine that has much else to do may need longer; twice that is enough for a round and a kill.
        programme.profile = replace(profile, play=max(profile.play, 2 * alone.busiest))
        kills = Kills(
            play=2 if profile.kill_in_play else 0, closing=max(profile.rounds // 2, 1), end=profile.rounds
        )
        disturbed = await programme.hold(kills)
        run.check(not server.complaints(), "the log says", server.complaints()[:1])
    finally:
        await server.kill()
    for number, (one, other) in enumerate(zip(alone.rounds(), disturbed.rounds(), strict=False), 1):
        run.check(one == other, "other pairings in round", number)
    for one, other in zip(alone.ranking(), disturbed.ranking(), strict=False):
        run.check(one == other, "another ranking:", one, other)
    run.check(len(alone.standings) == len(disturbed.standings), "more pairs, or fewer")
    await _verify(run, place)
    run.figures |= {
        "pairs": profile.pairs,
        "results": len(alone.diary.reported) + len(disturbed.diary.reported),
        "of them while a round was closed": alone.late + disturbed.late,
        "boards cut off": alone.cut + disturbed.cut,
        "kills": disturbed.killed,
        "ends that passed while it was down": disturbed.passed,
        "there again after at most": f"{disturbed.slowest:.1f} s",
        "requests": alone.requests + disturbed.requests,
        "a round was reported after at most": f"{alone.busiest:.1f} s of {profile.play:.0f} s",
        "the same where the server was killed": f"{disturbed.busiest:.1f} s",
        "final ranking after the clock had it": f"{alone.ranked_after:.2f} s",
        "the same where the server was killed in that round": f"{disturbed.ranked_after:.2f} s",
    }


async def _verify(run: Run, place: Place) -> None:
    """Number what the killed server has left, as the timetable of the next one does; compute all again."""
    database = open_database(place.url)
    while await bulletins.number_shared(database):
        pass
    await database.close()
    verified = await command(place, "verify")
    run.check(verified.returncode == 0, verified.stdout, verified.stderr)


if __name__ == "__main__":
    main(__doc__, play, DEFAULT, LONG)
