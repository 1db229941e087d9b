"""How totals of events come about, as the API gives it."""

from server.bridge.swiss_round import RoundScore
from server.bridge.traveller import hundredths
from server.services.event_explain import prizes, round_sum
from server.services.event_reading import FieldView
from server.web import schemas_rounds
from server.web.rendering import figure


def card_sum(score: RoundScore) -> schemas_rounds.CardSum | None:
    """The boards of a round in whole numbers; None where it was awarded as a whole."""
    found = round_sum(score)
    if found is None:
        return None
    return schemas_rounds.CardSum(
        parts=[schemas_rounds.CardPart(board, value) for board, value in found.parts.items()],
        total=found.total,
        divisor=found.divisor,
        margin=figure(hundredths(found.margin)),
    )


def prizes_of(view: FieldView) -> schemas_rounds.Prizes | None:
    """What places are worth; None before master points are given."""
    if not view.open or not view.masterpoints:
        return None
    found = prizes(view.field)
    return schemas_rounds.Prizes(pairs=found.pairs, places=list(found.places))
