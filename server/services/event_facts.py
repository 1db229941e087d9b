"""What the next step of an event depends on besides its clock, as far as it matters now."""

from datetime import datetime

from sqlalchemy import Connection

from server.bridge.swiss_clock import State
from server.bridge.swiss_event import Facts, playing_until
from server.bridge.swiss_progress import all_over
from server.services import event_field, event_scoring
from server.storage.events import Event, seconds


def facts(connection: Connection, event: Event, now: datetime) -> Facts:
    """What the clock of an event does not know. Scores are stored with the transition that needs them."""
    course, at = event.course, seconds(now)
    number = course.round or 0
    if course.state is State.REGISTRATION and at >= event.rules.start_at:
        return Facts(active=len(event_field.load(connection, event).active(1, now)))
    if course.state is State.RUNNING:
        early = event.rules.early_close and at < (course.ends_at or 0)
        dealing = at <= playing_until(event.rules.timing, course)
        finished = early and all_over(event_scoring.told_so_far(connection, event, number), dealing)
        return Facts(finished=finished)
    if course.state is State.CLOSING:
        last = number >= event.rules.rounds
        reported = last and all_over(event_scoring.told_so_far(connection, event, number), False)
        if at < (course.ends_at or 0) and not reported:
            return Facts()
        return Facts(active=_active(connection, event, number, now), reported=reported, scored=True)
    return Facts()


def _active(connection: Connection, event: Event, number: int, now: datetime) -> int:
    """Pairs that will be paired in the next round; those absent in this one, which is not scored yet, not."""
    found = event_field.load(connection, event)
    ready = {each.number for each in found.entries if each.ready}
    gone = event_scoring.absent(connection, event, number) - ready
    return sum(pair not in gone for pair in found.active(number + 1, now))
