"""What stands at the head of every page of an event: where it stands, what comes next, where else to look."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from server.bridge.event_rules import EventRules
from server.bridge.swiss_clock import State
from server.bridge.swiss_scoring import Scoring
from server.services import events
from server.services.errors import NotFound
from server.services.event_errors import EventNotFound
from server.services.event_snapshot import channel
from server.services.events import EventView
from server.storage.event_entries import Entry
from server.storage.events import Event, moment
from server.storage.ids import event_id, event_number
from server.storage.players import Player
from server.web.languages import N_
from server.web.pages.follows import Follows
from server.web.pages.travellers import Named, named
from server.web.pages.visits import Visit


@dataclass(frozen=True, slots=True)
class Deadline:
    """What happens next by the clock."""

    what: str  # a message; ``round`` may stand in it
    at: datetime


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of an event on a page."""

    number: int
    people: tuple[Named, Named]


@dataclass(frozen=True, slots=True)
class Head:
    """An event as the head of its pages shows it."""

    view: EventView

    @property
    def event(self) -> Event:
        """The event itself."""
        return self.view.event

    @property
    def id(self) -> str:
        """As addresses name it."""
        return event_id(self.event.id)

    @property
    def follows(self) -> Follows:
        """What its pages follow."""
        return Follows({channel(self.event.id): self.view.position})

    @property
    def rules(self) -> EventRules:
        """By which it is held."""
        return self.event.rules

    @property
    def state(self) -> State:
        """What it is doing."""
        return self.event.course.state

    @property
    def round(self) -> int | None:
        """The round that is played or closed; None: none is."""
        return self.event.course.round

    @property
    def scored(self) -> int:
        """Rounds that are scored."""
        return int(str(self.view.tree["scored_rounds"]))

    @property
    def started(self) -> int:
        """The last round that has started; 0: none."""
        return max(self.round or 0, self.scored)

    @property
    def by_vps(self) -> bool:
        """Whether rounds are scored in victory points."""
        return self.rules.scoring is Scoring.VP

    @property
    def path(self) -> str:
        """Of its first page."""
        return f"/events/{self.id}"

    @property
    def tabs(self) -> list[tuple[str, str, str]]:
        """Its pages: what each is called here, path and word."""
        pages = [("standings", "", N_("Standings") if self.started else N_("Overview"))]
        if self.started:
            pages.append(("cross", "/cross-table", N_("Cross-table")))
            pages.append(("rounds", f"/rounds/{self.started}", N_("Rounds")))
        pages.append(("pairs", "/entries", N_("Pairs")))
        if self.by_vps:
            pages.append(("vps", "/vp", N_("VP table")))
        return [(name, self.path + below, word) for name, below, word in pages]

    @property
    def paused_at(self) -> datetime | None:
        """Since when the clock stands."""
        at = self.event.course.paused_at
        return None if at is None else moment(at)

    @property
    def deadline(self) -> Deadline | None:
        """What comes next by the clock; None: nothing, or the clock stands."""
        return deadline(self.event)

    def starts_at(self, number: int) -> datetime | None:
        """When a round to come starts if nothing stops the clock; None: nobody knows."""
        schedule = self.view.tree["schedule"]
        if not isinstance(schedule, list):
            raise TypeError("the schedule of an event is a list")
        found = (each["starts_at"] for each in schedule if each["round"] == number)
        text = next(found, None)
        return None if text is None else datetime.fromisoformat(text)


def deadline(event: Event) -> Deadline | None:
    """What comes next in an event by the clock; None: nothing, or the clock stands."""
    course, rules = event.course, event.rules
    match course.state:
        case State.ANNOUNCED:
            return Deadline(N_("Registration opens in"), moment(rules.open_at))
        case State.REGISTRATION:
            return Deadline(N_("Play begins in"), moment(rules.start_at))
        case State.RUNNING if course.ends_at is not None:
            return Deadline(N_("Round %(round)s ends in"), moment(course.ends_at))
        case State.CLOSING if course.ends_at is not None:
            last = (course.round or 0) >= rules.rounds
            what = N_("Final ranking in at most") if last else N_("Next round in")
            return Deadline(what, moment(course.ends_at))
    return None


async def head(visit: Visit) -> Head:
    """The head of the event in the address. Raises EventNotFound."""
    text = visit.request.match_info["id"]
    number = event_number(text)
    if number is None:
        raise EventNotFound(text)
    return Head(await events.get(visit.services.database, number))


def part(visit: Visit, name: str, missing: type[NotFound]) -> int:
    """A number in the address. Raises ``missing`` when it is none."""
    text = visit.request.match_info[name]
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise missing(text)
    return int(text)


def pair(entry: Entry, people: Mapping[int, Player]) -> Pair:
    """A pair with its players as pages name them."""
    first, second = (named(people[player]) for player in entry.players)
    return Pair(entry.number, (first, second))
