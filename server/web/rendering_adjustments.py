"""From a director's artificial scores to what the API gives."""

from server.services.event_adjustments import Adjusted
from server.storage.event_adjustments import Adjustment
from server.web import schemas_adjustments
from server.web.rendering import figure


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


def artificial_ruling(found: Adjusted, dry_run: bool) -> schemas_adjustments.ArtificialRuling:
    """What awarding a score made of a round, or would make of it."""
    return schemas_adjustments.ArtificialRuling(
        event=found.event,
        round=found.round,
        ruling=artificial(found.made),
        moves=[
            schemas_adjustments.ScoreMove(
                entry=each.pair, before=figure(each.before), after=figure(each.after)
            )
            for each in found.moves
        ],
        dry_run=dry_run,
    )
