"""From a director's artificial scores to what the API gives."""

from collections.abc import Iterable

from server.services.event_adjustments import Adjusted
from server.services.event_moves import PairMove, Place
from server.storage.event_adjustments import Adjustment
from server.web import schemas_adjustments
from server.web.rendering import figure, figure_or_none


def artificial(found: Adjustment) -> schemas_adjustments.Artificial:
    """A score that a director awarded, or took back."""
    return schemas_adjustments.Artificial(
        table=found.table,
        board=found.board,
        ns=None if found.score is None else found.score.ns.value,
        ew=None if found.score is None else found.score.ew.value,
        basis=None if found.basis is None else found.basis.value,
        infraction=found.infraction,
        damage=found.damage,
        reason=found.reason,
        at=found.at,
        version=found.version,
    )


def pair_moves(found: Iterable[PairMove]) -> list[schemas_adjustments.PairMove]:
    """Pairs that a ruling moves."""
    return [
        schemas_adjustments.PairMove(entry=each.pair, before=_place(each.before), after=_place(each.after))
        for each in found
    ]


def _place(found: Place) -> schemas_adjustments.PairPlace:
    return schemas_adjustments.PairPlace(
        score=figure_or_none(found.score),
        total=figure(found.total),
        boards=found.boards,
        rank=found.rank,
    )


def artificial_ruling(found: Adjusted, dry_run: bool) -> schemas_adjustments.ArtificialRuling:
    """What awarding a score made of a round, or would make of it."""
    return schemas_adjustments.ArtificialRuling(
        event=found.event,
        round=found.round,
        ruling=artificial(found.made),
        moves=pair_moves(found.moves),
        dry_run=dry_run,
    )
