"""What a PBN file says against its own standard without losing a result by it: warnings with their lines."""

import re
from decimal import Decimal
from itertools import pairwise

from server.bridge.deal import PACK, RANKS
from server.bridge.seats import Side, Vulnerability
from server.formats.complaints import Complaints
from server.formats.pbn_games import Game, Tag, excerpt
from server.formats.pbn_tables import Column, Table, read_table

_FIGURE = re.compile(r"[+-]?[0-9]{1,7}(?:\.[0-9]{1,6})?")
_OPTIMUM = re.compile(r"(?:NS|EW) [+-]?[0-9]{1,5}")
_RUBBER = re.compile(r"NS ([0-9 ]+)/([0-9 ]+)EW ([0-9 ]+)/([0-9 ]+)")
_NOTE = re.compile(r"=[0-9]{1,3}=|\$[0-9]{1,3}")
_WITH_SCORES = ("ScoreTable", "TotalScoreTable")  # checked where they are read
_GAME = 100  # points below the line that win a game of a rubber


def check_game(game: Game, vulnerability: Vulnerability | None, complaints: Complaints) -> None:
    """Check the tags that carry no result."""
    _check_optimum(game, complaints)
    _check_rubber(game, vulnerability, complaints)
    if "Auction" in game.tags:
        _check_auction(game.tags["Auction"], complaints)
    if "Play" in game.tags:
        _check_play(game.tags["Play"], game.value("Contract")[1:2], complaints)
    for tag in game.tags.values():
        if tag.is_table and tag.name not in _WITH_SCORES:
            check_order(tag, read_table(tag, complaints, complaints.warn), complaints)


def check_order(tag: Tag, table: Table, complaints: Complaints) -> None:
    """Warn of the first row that breaks the order which ``+`` or ``-`` before its column promises."""
    for index, column in enumerate(table.columns):
        figures = [(row.line, row.texts[index]) for row in table.rows] if column.order else []
        known = [(line, Decimal(text)) for line, text in figures if _FIGURE.fullmatch(text)]
        for (_, above), (line, figure) in pairwise(known):
            if _misplaced(column, above, figure):
                order = f"{tag.name} is not sorted by {column.order}{column.name}"
                complaints.warn(line, f"{order}: {figure} stands below {above}")
                break


def _misplaced(column: Column, above: Decimal, figure: Decimal) -> bool:
    return figure > above if column.order == "+" else figure < above


def _check_optimum(game: Game, complaints: Complaints) -> None:
    value = game.value("OptimumScore")
    if value not in ("", "?") and not _OPTIMUM.fullmatch(value):
        complaints.warn(
            game.line_of("OptimumScore"), f"OptimumScore {excerpt(value)} is not NS or EW and a score"
        )


def _check_rubber(game: Game, vulnerability: Vulnerability | None, complaints: Complaints) -> None:
    """A side is vulnerable when it has won a game of the rubber (Laws of Contract Bridge)."""
    value = game.value("ScoreRubberHistory")
    if value in ("", "?"):
        return
    line = game.line_of("ScoreRubberHistory")
    match = _RUBBER.fullmatch(value)
    if match is None:
        complaints.warn(line, f"ScoreRubberHistory {excerpt(value)} is not NS above / below EW above / below")
        return
    for side, below in ((Side.NS, match[2]), (Side.EW, match[4])):
        won = any(len(points) > 2 for points in (word.lstrip("0") for word in below.split()))
        if vulnerability is not None and vulnerability.includes(side) != won:
            word = "a game" if won else "no game"
            complaints.warn(line, f"{side} has won {word} of the rubber, unlike Vulnerable in this game says")


def _check_auction(tag: Tag, complaints: Complaints) -> None:
    """Nothing comes after ``+``, which says that the auction goes on."""
    calls = [(number, word) for number, text in tag.below for word in _words(text)]
    ended = [word for _, word in calls].index("+") if any(word == "+" for _, word in calls) else len(calls)
    for number, word in calls[ended + 1 :][:1]:
        complaints.warn(number, f"{word} stands after +, the sign that the auction goes on")


def _check_play(tag: Tag, trump: str, complaints: Complaints) -> None:
    """After ``+``, which says that the play goes on, no card is played: only ``-`` may stand there."""
    tricks = [(number, words) for number, text in tag.below if (words := _words(text))]
    leader: int | None = 0
    for index, (number, words) in enumerate(tricks):
        if "+" not in words:
            leader = None if leader is None else _winner(words, leader, trump)
            continue
        turn = words if leader is None or len(words) != 4 else words[leader:] + words[:leader]
        after = [word for word in turn[turn.index("+") + 1 :] if word != "-"]
        if leader is None:
            after = [word for word in after if word == "+"]
        late = [(number, word) for word in after] + [(line, later[0]) for line, later in tricks[index + 1 :]]
        for line, word in late[:1]:
            complaints.warn(line, f"{word} stands after +, the sign that the play goes on")
        return


def _winner(cards: list[str], leader: int, trump: str) -> int | None:
    """Column of the card that takes a trick; None when the trick is not whole."""
    if len(cards) != 4 or any(card not in PACK for card in cards):
        return None
    led = cards[leader][0]
    return max(range(4), key=lambda i: _strength(cards[i], led, trump))


def _strength(card: str, led: str, trump: str) -> tuple[bool, bool, int]:
    return card[0] == trump, card[0] == led, -RANKS.index(card[1])


def _words(text: str) -> list[str]:
    """Calls or cards of a line, without notes and the sign for the end."""
    return [word for word in text.split() if word != "*" and not _NOTE.fullmatch(word)]
