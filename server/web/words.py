"""The words for what the API names by a slug: seats, states, reasons, methods, pools."""

from server.web.languages import N_

SEATS = {"N": N_("North"), "E": N_("East"), "S": N_("South"), "W": N_("West")}
SIDES = {"NS": N_("North–South"), "EW": N_("East–West")}
VULNERABILITIES = {
    "none": N_("nobody vulnerable"),
    "NS": N_("NS vulnerable"),
    "EW": N_("EW vulnerable"),
    "both": N_("both vulnerable"),
}
SUITS = {"S": N_("spades"), "H": N_("hearts"), "D": N_("diamonds"), "C": N_("clubs")}
BOARD_STATES = {
    "pending": N_("pending"),
    "scoring": N_("scoring"),
    "retired": N_("retired"),
    "withdrawn": N_("withdrawn"),
}
RESULT_STATES = {"pending": N_("pending"), "scored": N_("scored"), "void": N_("void")}
WEEK_STATES = {
    "future": N_("to come"),
    "open": N_("open"),
    "ended": N_("ended"),
    "closing": N_("being rated"),
    "closed": N_("rated"),
    "dirty": N_("rated, to be rated again"),
}
REASONS = {
    "pending": N_("not rated yet: the board is pending"),
    "too-few-results": N_("not rated: the board had too few results when its week closed"),
    "late": N_("not rated: it came too late"),
    "withdrawn": N_("not rated: the board was withdrawn"),
    "void": N_("not rated: the result is void"),
    "adjusted": N_("not rated: the score was adjusted"),
    "fouled-group": N_("not rated: too few tables played the board in this form"),
    "event": N_("not rated: the board belongs to an event"),
    "substitute": N_("not rated: a substitute played"),
    "newcomer-at-table": N_("rated for the newcomers at the table only"),
}
BASES = {
    "damage": N_("an infraction did damage"),
    "unplayable": N_("the board could not be played"),
    "score_error": N_("the score had been reported wrongly"),
}
METHODS = {
    "datum": N_("IMPs against the datum"),
    "cross_imps": N_("cross-IMPs"),
    "matchpoints": N_("matchpoints"),
    "hcp_compensation": N_("IMPs by high-card points"),
}
FIGURES = {
    "datum_imps": N_("Datum IMPs"),
    "cross_imps": N_("Cross-IMPs"),
    "matchpoints": N_("Matchpoints"),
}
BRIEF_FIGURES = {"datum_imps": N_("Datum"), "cross_imps": N_("Cross"), "matchpoints": N_("MP")}
ORDERS = {"skill": N_("Skill index"), "points": N_("Week points"), "joint": N_("Joint index")}
ROLES = {"declarer": N_("Declarer"), "dummy": N_("Dummy"), "defender": N_("Defender")}
POOLS = {"imps": N_("IMPs"), "mp": N_("Matchpoints"), "guests": N_("Guests")}
"""Pools of the delivered settings; others go by their own names."""
EVENT_KINDS = {"swiss_pairs": N_("Swiss pairs"), "pairs": N_("Pairs, drawn rounds")}
EVENT_STATES = {
    "announced": N_("announced"),
    "registration": N_("open for registration"),
    "running": N_("being played"),
    "closing": N_("results coming in"),
    "paused": N_("paused"),
    "finished": N_("finished"),
    "cancelled": N_("called off"),
}
SCORINGS = {
    "cross_imps": N_("cross-IMPs"),
    "datum": N_("IMPs against the datum"),
    "total_imp": N_("total IMPs"),
    "matchpoints": N_("matchpoints"),
    "vp": N_("victory points"),
}
TOTALS = {
    "cross_imps": N_("IMPs"),
    "datum": N_("IMPs"),
    "total_imp": N_("IMPs"),
    "matchpoints": N_("Per cent"),
    "vp": N_("VPs"),
}
VP_SCALES = {
    "bethe2003": N_("scale of 2003 (Bethe)"),
    "wbf": N_("WBF table of 2013"),
    "wbf_formula": N_("WBF formula of 2013"),
    "wbf_discrete": N_("WBF scale in whole points"),
    "linear": N_("linear: six IMPs a point"),
}
FIRST_ROUNDS = {"registration": N_("by order of registration"), "seeded_draw": N_("drawn, seeds apart")}
SEATINGS = {
    "table_rule": N_("the higher pair North–South at tables 1, 2, 5, 6, 9, 10 …, East–West at the others"),
    "balanced": N_("the pair that has sat North–South less often"),
}
ROUND_KINDS = {
    "sit_out": N_("sit-out"),
    "opponents_absent": N_("opponents did not come"),
    "absent": N_("absent"),
}
PENALTIES = {
    "warning": N_("warning"),
    "deduction": N_("deduction"),
    "suspension": N_("suspension"),
}
TIE_BREAKS = {
    "boards": N_("tie, decided by boards finished"),
    "registration": N_("tie, decided by earlier registration"),
}


def pool(name: str) -> str:
    """What a pool is called: a message of ours, or the operator's own word."""
    return POOLS.get(name, name)
