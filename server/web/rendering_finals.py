"""From who goes on to a final to what the API gives."""

from server.services.event_finals import QualifiersView
from server.web import schemas_rounds
from server.web.rendering import figure
from server.web.rendering_events import ids, names


def qualifiers(found: QualifiersView) -> schemas_rounds.Qualifiers:
    """Who goes on."""
    view, rules = found.view, found.view.field.event.rules
    entries = {each.number: each for each in view.field.entries}
    return schemas_rounds.Qualifiers(
        state=view.field.event.course.state,
        places=rules.places,
        protected_places=rules.protected_places,
        rows=[
            schemas_rounds.QualifierRow(
                entry=each.pair,
                players=ids(view, entries[each.pair]),
                names=names(view, entries[each.pair]),
                rank=each.rank,
                score=figure(each.score),
                qualified="protected" if each.protected else "by_score",
                earlier_ranks=list(each.earlier_ranks),
                carry_over=figure(each.carried),
            )
            for each in found.going
        ],
    )
