"""The words of the game in every language: an English term is a message, its translation the term there."""

from dataclasses import dataclass

from server.web.languages import N_


@dataclass(frozen=True, slots=True)
class Term:
    """A word and what it means."""

    word: str
    meaning: str


GLOSSARY = (
    Term(N_("board"), N_("Four hands as dealt, with a number that says who deals and who is vulnerable.")),
    Term(N_("dealer"), N_("Who calls first.")),
    Term(N_("vulnerability"), N_("Which sides win and lose more on a board: none, NS, EW or both.")),
    Term(N_("pair"), N_("Two players who sit opposite and score together.")),
    Term(N_("contract"), N_("The last bid: how many tricks beyond six, in which suit or without trumps.")),
    Term(N_("declarer"), N_("Who plays the contract, for both hands of the side.")),
    Term(N_("lead"), N_("The first card, by the player to declarer's left.")),
    Term(N_("trick"), N_("Four cards, one by each player; thirteen to a board.")),
    Term(N_("down"), N_("How many tricks are missing from the contract.")),
    Term(N_("double, redouble"), N_("Calls that raise what is at stake; written X and XX.")),
    Term(N_("notrump"), N_("A contract without trumps; written NT.")),
    Term(N_("score"), N_("The points of Law 77 for one result, signed for North–South.")),
    Term(N_("traveller"), N_("All results of one board.")),
    Term(N_("datum"), N_("The mean score of a board without its extremes, to the nearest ten.")),
    Term(N_("IMP"), N_("International Match Point: a difference in score on the scale of Law 78B.")),
    Term(N_("cross-IMPs"), N_("The mean of the IMPs against each other result.")),
    Term(
        N_("matchpoints"), N_("Two for each worse result and one for each equal one, in per cent of the top.")
    ),
    Term(N_("award"), N_("The score of a result against those that were there when it arrived; it stays.")),
    Term(
        N_("field score"),
        N_("The score against all results that are there now; it moves with each further one."),
    ),
    Term(N_("pending"), N_("The board waits for enough results to be scored.")),
    Term(N_("scoring"), N_("The board is scored with every result, and takes more.")),
    Term(N_("retired"), N_("The board has all its results, is never dealt again, and is shown in full.")),
    Term(N_("withdrawn"), N_("A director has taken the board out.")),
    Term(N_("revealed"), N_("Nobody can be playing the board any more, so everything about it is shown.")),
    Term(N_("pool"), N_("Boards, scoring method and ranking that belong together.")),
    Term(N_("Swiss movement"), N_("Pairs meet others that have done as well as they, and nobody twice.")),
    Term(N_("sit-out"), N_("A round without a match, where the number of pairs is odd.")),
    Term(N_("victory points (VP)"), N_("What a match is worth to both sides, by the difference in IMPs.")),
    Term(N_("master points"), N_("What events give to those who do well; their sum decides the grade.")),
    Term(N_("void"), N_("A result that does not count.")),
    Term(N_("disconnect"), N_("Leaving the table before the board is finished.")),
    Term(N_("director"), N_("Who rules on the Laws.")),
    Term(N_("skill index"), N_("How well somebody plays, whoever the partner is; 50 is average.")),
    Term(N_("board Rate"), N_("A player's share of one table, weighted by the four Rates there.")),
    Term(
        N_("week points"),
        N_("The sum of this week's field scores, less what disconnects cost."),
    ),
    Term(N_("week boards"), N_("Boards finished or left this week.")),
    Term(N_("total boards"), N_("Boards of all weeks.")),
    Term(N_("last week's average"), N_("Last week's points per board.")),
    Term(
        N_("provisional"),
        N_("Resting on few boards; marked by one standard deviation where there is one, otherwise by “?”."),
    ),
    Term(N_("adjusted score"), N_("A score given by the director instead of the one at the table.")),
)
