"""A program: what each side can make with all cards seen, and par. Started by `analysis`, one deal a run.

It reads deal, dealer and vulnerability as JSON from its input and writes tricks and par contracts as JSON to
its output. The library it rests on is C that runs for as long as it likes; hence a process that can be ended.
"""

import json
import os
import sys

SPARE = 10  # niceness: results are taken in first


def main() -> None:
    """Solve the deal on standard input."""
    from endplay.dds import calc_dd_table, par  # noqa: PLC0415 - slow to load, and not always there
    from endplay.types import Deal, Denom, Player, Vul  # noqa: PLC0415

    asked = json.load(sys.stdin)
    players = dict(zip("NESW", (Player.north, Player.east, Player.south, Player.west), strict=True))
    denoms = dict(
        zip("CDHSN", (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt), strict=True)
    )
    vulnerabilities = {"none": Vul.none, "NS": Vul.ns, "EW": Vul.ew, "both": Vul.both}
    table = calc_dd_table(Deal(asked["deal"]))
    best = par(table, vulnerabilities[asked["vulnerability"]], players[asked["dealer"]])
    answer = {
        "tricks": {
            seat: {strain: table[denom, player] for strain, denom in denoms.items()}
            for seat, player in players.items()
        },
        "par": best.score,
        "contracts": [str(contract) for contract in best],
    }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    os.nice(SPARE)
    main()
