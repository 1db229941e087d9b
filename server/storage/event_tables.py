"""The tables of events. What follows from them is computed when it is read, but for the scores of rounds."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from server.storage.tables import metadata
from server.storage.types import Instant, Number, Scores

events = Table(
    "events",
    metadata,
    Column("id", Number, primary_key=True),
    Column("client", Number, ForeignKey("clients.number"), nullable=False),  # to whom it belongs
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("rules", Text, nullable=False),  # JSON
    Column("seeded", Scores, nullable=False, server_default=text("''")),  # players' numbers
    Column("protected", Scores, nullable=False, server_default=text("''")),  # players' numbers
    # Its course. All times are absolute, so that a restart finds what is due.
    Column("state", Text, nullable=False),
    Column("round", Integer),
    Column("ends_at", Instant),
    Column("appear_by", Instant),
    Column("playable_until", Instant),
    Column("paused_at", Instant),
    Column("paused_in", Text),
    Column("pause_reason", Text),
    Column("pauses", Integer, nullable=False, server_default="0"),
    # Nobody could be entered: nobody is any more until the event goes on.
    Column("room_waits", Boolean, nullable=False, server_default=false()),
    Column("seen_at", Instant, nullable=False),  # somebody kept its clock then
    Column("issued", Integer, nullable=False, server_default="0"),  # the highest number of a pair ever given
    Column("published_at", Instant),  # its results are there for everybody
    Column("carried", Text),  # JSON: by pairs of players, hundredths of a VP from an earlier event
    Column("created_at", Instant, nullable=False),
)
Index(
    "ix_events_live",
    events.c.id,
    sqlite_where=text("state NOT IN ('finished', 'cancelled')"),
    postgresql_where=text("state NOT IN ('finished', 'cancelled')"),
)

event_transitions = Table(  # each step of a course, once
    "event_transitions",
    metadata,
    Column("event", Number, ForeignKey("events.id"), nullable=False),
    Column("before", Text, nullable=False),
    Column("after", Text, nullable=False),
    Column("round", Integer, nullable=False),  # 0: none
    Column("pauses", Integer, nullable=False),
    Column("due_at", Instant, nullable=False),  # the instant it counts from
    Column("done_at", Instant, nullable=False),
    PrimaryKeyConstraint("event", "before", "after", "round", "pauses"),
)

event_entries = Table(  # the pairs of an event
    "event_entries",
    metadata,
    Column("event", Number, ForeignKey("events.id"), nullable=False),
    Column("number", Integer, nullable=False),  # of the registration; never given twice
    Column("first", Number, ForeignKey("players.number"), nullable=False),  # who sits North or East
    Column("second", Number, ForeignKey("players.number"), nullable=False),
    Column("registered_at", Instant, nullable=False),
    Column("first_round", Integer, nullable=False),
    Column("cancelled_at", Instant),  # before the start: as if it had never been
    Column("withdrawn_at", Instant),
    Column("absent_in", Integer),  # the last round for the whole of which it was absent
    Column("ready", Boolean, nullable=False, server_default=false()),  # said so since then
    Column("earlier_ranks", Scores, nullable=False, server_default=text("''")),  # in earlier qualifications
    PrimaryKeyConstraint("event", "number"),
    CheckConstraint("first <> second", name="two"),
)

event_players = Table(  # who is entered with which pair: nobody with two
    "event_players",
    metadata,
    Column("event", Number, nullable=False),
    Column("player", Number, nullable=False, index=True),
    Column("entry", Integer, nullable=False),
    PrimaryKeyConstraint("event", "player"),
    ForeignKeyConstraint(
        ["event", "entry"], ["event_entries.event", "event_entries.number"], name="fk_event_players_entry"
    ),
)

event_seats = Table(  # who sits in the registration room: nobody in two seats
    "event_seats",
    metadata,
    Column("event", Number, ForeignKey("events.id"), nullable=False),
    Column("table_number", Integer, nullable=False),
    Column("seat", Text, nullable=False),
    Column("player", Number, ForeignKey("players.number"), nullable=False),
    Column("hand_up_since", Instant),
    PrimaryKeyConstraint("event", "table_number", "seat"),
    UniqueConstraint("event", "player"),
)

event_rounds = Table(  # rounds that have started, and those paired by hand before they do
    "event_rounds",
    metadata,
    Column("event", Number, ForeignKey("events.id"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("seed", Text),  # of its draw, a number of 64 bits; null: nothing was drawn
    Column("by_hand", Text),  # JSON: matches and sit-outs as a director wants them
    Column("sit_outs", Scores, nullable=False, server_default=text("''")),
    Column("started_at", Instant),
    Column("appear_by", Instant),  # who was not there by then was marked absent; set when play is over
    Column("playable_until", Instant),  # when the last board was dealt, by the clock; set when play is over
    Column("ended_at", Instant),  # when play was over
    Column("scored_at", Instant),
    PrimaryKeyConstraint("event", "round"),
)

event_matches = Table(  # the tables of a round
    "event_matches",
    metadata,
    Column("event", Number, nullable=False),
    Column("round", Integer, nullable=False),
    Column("table_number", Integer, nullable=False),
    Column("ns", Integer, nullable=False),  # pairs by their numbers
    Column("ew", Integer, nullable=False),
    Column("sits_first", Integer, nullable=False),
    Column("dealt", Integer, nullable=False, server_default="0"),  # boards that the table asked for
    Column("skipped", Integer, nullable=False, server_default="0"),  # so many first ones it may not play
    PrimaryKeyConstraint("event", "round", "table_number"),
    UniqueConstraint("event", "round", "ns"),
    UniqueConstraint("event", "round", "ew"),
    ForeignKeyConstraint(
        ["event", "round"], ["event_rounds.event", "event_rounds.round"], name="fk_event_matches_round"
    ),
    CheckConstraint("ns <> ew", name="two"),
)

event_boards = Table(  # the boards of a round, the same for all tables
    "event_boards",
    metadata,
    Column("event", Number, nullable=False),
    Column("round", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("board", Number, ForeignKey("boards.id"), nullable=False, unique=True),
    PrimaryKeyConstraint("event", "number"),
    ForeignKeyConstraint(
        ["event", "round"], ["event_rounds.event", "event_rounds.round"], name="fk_event_boards_round"
    ),
)

event_arrivals = Table(  # who came to his table in a round
    "event_arrivals",
    metadata,
    Column("event", Number, ForeignKey("events.id"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("player", Number, nullable=False),
    Column("at", Instant, nullable=False),
    PrimaryKeyConstraint("event", "round", "player"),
)

event_substitutes = Table(  # who sits in for a player in a round
    "event_substitutes",
    metadata,
    Column("event", Number, ForeignKey("events.id"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("player", Number, ForeignKey("players.number"), nullable=False),  # who is missing
    Column("substitute", Number, ForeignKey("players.number"), nullable=False),
    Column("entry", Integer, nullable=False),
    PrimaryKeyConstraint("event", "round", "player"),
    UniqueConstraint("event", "round", "substitute"),
)

event_relieved = Table(  # who has sat in for a player in a round, and does not any more
    "event_relieved",
    metadata,
    Column("event", Number, ForeignKey("events.id"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("player", Number, ForeignKey("players.number"), nullable=False),
    Column("substitute", Number, ForeignKey("players.number"), nullable=False),
    Column("entry", Integer, nullable=False),
    PrimaryKeyConstraint("event", "round", "player", "substitute"),
)

event_penalties = Table(
    "event_penalties",
    metadata,
    Column("id", Number, primary_key=True),
    Column("event", Number, ForeignKey("events.id"), nullable=False, index=True),
    Column("entry", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("amount", Integer, nullable=False, server_default="0"),  # hundredths off the total
    Column("until_round", Integer),  # of a suspension, that round included
    Column("until_at", Instant),  # of a suspension
    Column("reason", Text, nullable=False),
    Column("client", Number, nullable=False),
    Column("at", Instant, nullable=False),
    Column("lift_reason", Text),
    Column("lifted_by", Number),  # which client
    Column("lifted_at", Instant),  # it counts no more since then
)

event_adjustments = Table(  # artificial scores: appended, never changed; the last one stands
    "event_adjustments",
    metadata,
    Column("event", Number, nullable=False),
    Column("board", Integer, nullable=False),  # by its number in the event
    Column("table_number", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("ns", Text),  # A+, A or A-; null: taken back
    Column("ew", Text),
    Column("basis", Text),
    Column("infraction", Text),
    Column("damage", Text),
    Column("reason", Text, nullable=False),
    Column("client", Number, nullable=False),
    Column("at", Instant, nullable=False),
    PrimaryKeyConstraint("event", "board", "table_number", "version"),
    ForeignKeyConstraint(
        ["event", "board"], ["event_boards.event", "event_boards.number"], name="fk_event_adjustments_board"
    ),
)

event_scores = Table(  # what each pair has from a round; made again whenever a ruling moves the round
    "event_scores",
    metadata,
    Column("event", Number, nullable=False),
    Column("round", Integer, nullable=False),
    Column("entry", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("score", Integer, nullable=False),  # hundredths
    Column("finished", Integer, nullable=False),  # boards
    Column("boards", Text, nullable=False),  # JSON: exact scores by board
    PrimaryKeyConstraint("event", "round", "entry"),
    ForeignKeyConstraint(
        ["event", "round"], ["event_rounds.event", "event_rounds.round"], name="fk_event_scores_round"
    ),
)

masterpoints = Table(  # what events gave to players
    "masterpoints",
    metadata,
    Column("event", Number, ForeignKey("events.id"), nullable=False),
    Column("player", Number, nullable=False, index=True),
    Column("points", Integer, nullable=False),
    Column("rank", Integer, nullable=False),
    Column("pairs", Integer, nullable=False),  # that completed the event
    PrimaryKeyConstraint("event", "player"),
)

grades = Table(  # the highest grade that a player has reached: it is never lowered
    "grades",
    metadata,
    Column("player", Number, primary_key=True, autoincrement=False),
    Column("grade", Integer, nullable=False),
    Column("since", Instant, nullable=False),
)
