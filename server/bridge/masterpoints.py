"""Master points of an event, for each player of a pair."""


def masterpoints(pairs: int) -> tuple[int, ...]:
    """Points of the first, second, … of an event that so many ``pairs`` completed; the others have none.

    From 20 pairs on: 3 for the winners, 2 to the fourth place, 1 to the tenth. With fewer, the better half,
    at least the winners: 3, up to three times 2, and 1 for the rest of that half.
    """
    places = 10 if pairs >= 20 else max(pairs // 2, min(pairs, 1))
    return (3, 2, 2, 2, *(1,) * max(places - 4, 0))[:places]
