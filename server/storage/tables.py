"""Every table of the database. Rules that the code keeps, the database keeps too.

But for one kind: the rows that every result writes (`results`, `plays`, `awards`, `idempotency`, `audit`) do
not name their clients, players and results as foreign keys. PostgreSQL would lock each of those rows, and
spend half of a commit on it. Nobody deletes clients, players or results; `crossruff verify` finds orphans.
"""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
    true,
)

from server.storage.types import Instant, Number, Scores, Sorted

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

installation = Table(  # what was settled at the first start and may not change afterwards
    "installation",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

clients = Table(  # who tokens belong to: a platform, an organiser, a director's console
    "clients",
    metadata,
    Column("number", Number, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("created_at", Instant, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("number", Number, primary_key=True),
    Column("client", Number, ForeignKey("clients.number"), nullable=False, index=True),
    Column("digest", Text, nullable=False, unique=True),  # SHA-256 of the token; itself it is kept nowhere
    Column("scopes", Text, nullable=False),  # separated by blanks
    Column("player", Text),  # of a director who also plays: his own open boards stay hidden from him
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant),
    Column("revoked_at", Instant),
)

players = Table(
    "players",
    metadata,
    # Everything else names a player by this number, so that erasing him replaces one row.
    Column("number", Number, primary_key=True),
    Column("id", Sorted, nullable=False, unique=True),  # the platform's own
    Column("name", Text),
    Column("alias", Text),
    Column("hidden", Boolean, nullable=False, server_default=false()),
    Column("member", Boolean, nullable=False, server_default=true()),
    # Linked accounts share the smallest of their numbers; null: linked to none.
    Column("person", Number, ForeignKey("players.number"), index=True),
    Column("created_at", Instant, nullable=False),
)

board_sets = Table(  # the boards of one week and pool
    "board_sets",
    metadata,
    Column("week", Text, nullable=False),
    Column("pool", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    PrimaryKeyConstraint("week", "pool"),
)

boards = Table(
    "boards",
    metadata,
    Column("id", Number, primary_key=True),
    Column("week", Text),  # null: a board of an event
    Column("pool", Text),
    Column("number", Integer, nullable=False),
    Column("dealer", Text, nullable=False),
    Column("vulnerability", Text, nullable=False),
    Column("deal", Text),
    # By what rules it is scored: those of its pool when it was made.
    Column("method", Text, nullable=False),
    Column("score_at", Integer, nullable=False),
    Column("retire_at", Integer),
    Column("trim", Text, nullable=False),
    # Cache of the live results, total points for NS by sequence; `crossruff verify` checks it.
    Column("scores", Scores, nullable=False, server_default=text("''")),
    Column("last_sequence", Integer, nullable=False, server_default="0"),
    Column("ruled", Boolean, nullable=False, server_default=false()),  # the cache alone does not tell all
    Column("retired_at", Instant),
    Column("withdrawn_at", Instant),
    Column("version", Integer, nullable=False, server_default="1"),  # changed by rulings only
    Column("change", Number, nullable=False, server_default="0"),  # raised by every arrival and ruling
    Column("bulletins", Number, nullable=False, server_default="0"),  # written to the board's channel
    Column("revealed_at", Instant),  # when its channel was told everything
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("week", "pool", "number"),
    ForeignKeyConstraint(["week", "pool"], ["board_sets.week", "board_sets.pool"], name="fk_boards_set"),
    CheckConstraint("number > 0", name="number"),
    CheckConstraint("score_at > 0 AND (retire_at IS NULL OR retire_at >= score_at)", name="thresholds"),
)

results = Table(
    "results",
    metadata,
    Column("board", Number, ForeignKey("boards.id"), nullable=False),
    Column("sequence", Integer, nullable=False),  # order of arrival on the board; never used twice
    Column("table_name", Text, nullable=False),
    Column("north", Number, nullable=False),  # players' numbers; `plays` refers to the players
    Column("east", Number, nullable=False),
    Column("south", Number, nullable=False),
    Column("west", Number, nullable=False),
    Column("contract", Text),  # null: passed out
    Column("declarer", Text),
    Column("tricks", Integer),
    Column("lead", Text),
    Column("score", Integer, nullable=False),  # total points for NS
    Column("live", Boolean, nullable=False, server_default=true()),  # false: void
    Column("version", Integer, nullable=False, server_default="1"),
    Column("client", Number, nullable=False),
    Column("received_at", Instant, nullable=False),
    Column("played_at", Instant),
    Column("details", Text),  # JSON: auction and play as they came; replaced: players' numbers by seat
    PrimaryKeyConstraint("board", "sequence"),
)
Index(
    "uq_results_board_table_name",
    results.c.board,
    results.c.table_name,
    unique=True,
    sqlite_where=text("live"),
    postgresql_where=text("live"),
)

plays = Table(  # who has a live result on which board: nobody two
    "plays",
    metadata,
    Column("board", Number, nullable=False),
    Column("player", Number, nullable=False),
    Column("sequence", Integer, nullable=False),
    PrimaryKeyConstraint("board", "player"),
    Index("ix_plays_player_board", "player", "board"),
)

exposures = Table(  # who has been dealt or shown a board, whether or not he played it
    "exposures",
    metadata,
    Column("board", Number, ForeignKey("boards.id"), nullable=False),
    Column("player", Number, ForeignKey("players.number"), nullable=False),
    Column("since", Instant, nullable=False),
    PrimaryKeyConstraint("board", "player"),
    Index("ix_exposures_player_board", "player", "board"),
)

assignments = Table(  # boards dealt to a table; an open one holds a slot of the board
    "assignments",
    metadata,
    Column("id", Number, primary_key=True),
    Column("board", Number, ForeignKey("boards.id"), nullable=False),
    Column("table_name", Text, nullable=False),
    Column("client", Number, ForeignKey("clients.number"), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("ended_at", Instant),  # by a result of the same board and table
    Index("ix_assignments_board_table_name", "board", "table_name"),
    Index("ix_assignments_expires_at", "expires_at"),
)

awards = Table(  # the duplicate score of a result, fixed at arrival; hundredths of an IMP or per cent
    "awards",
    metadata,
    Column("board", Number, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("ns", Integer, nullable=False),
    Column("ew", Integer, nullable=False),
    Column("datum", Integer),
    Column("results", Integer, nullable=False),  # how many were compared, this one included
    PrimaryKeyConstraint("board", "sequence"),
)

disconnects = Table(  # one per player and board
    "disconnects",
    metadata,
    Column("number", Number, primary_key=True),
    Column("board", Number, ForeignKey("boards.id"), nullable=False),
    Column("player", Number, ForeignKey("players.number"), nullable=False, index=True),
    Column("sequence", Integer),  # of the result it came with, which says who sat where at which table
    # Of one that was reported by itself: his table, and who sat there; a result of theirs may still come.
    Column("table_name", Text),
    Column("north", Number, ForeignKey("players.number")),
    Column("east", Number, ForeignKey("players.number")),
    Column("south", Number, ForeignKey("players.number")),
    Column("west", Number, ForeignKey("players.number")),
    Column("at", Instant),  # when it happened, as its client says
    Column("live", Boolean, nullable=False, server_default=true()),  # false: void
    Column("client", Number, ForeignKey("clients.number"), nullable=False),
    Column("received_at", Instant, nullable=False),
    UniqueConstraint("board", "player"),
)

revisions = Table(  # what directors ruled: appended, never changed
    "revisions",
    metadata,
    Column("board", Number, ForeignKey("boards.id"), nullable=False),
    Column("number", Integer, nullable=False),  # the version of the board that it made; the first is 2
    Column("kind", Text, nullable=False),
    Column("sequence", Integer),  # of the result that was ruled upon, or
    Column("disconnect", Number, ForeignKey("disconnects.number"), index=True),
    Column("arrived", Integer, nullable=False),  # last sequence of the board then: between which arrivals
    Column("basis", Text),  # of an adjustment
    Column("infraction", Text),
    Column("damage", Text),
    Column("reason", Text, nullable=False),
    Column("before", Text, nullable=False),  # JSON
    Column("after", Text, nullable=False),
    Column("client", Number, ForeignKey("clients.number"), nullable=False),
    Column("at", Instant, nullable=False),
    PrimaryKeyConstraint("board", "number"),
    ForeignKeyConstraint(
        ["board", "sequence"], ["results.board", "results.sequence"], name="fk_revisions_result"
    ),
)

idempotency = Table(  # first answers, byte for byte
    "idempotency",
    metadata,
    Column("client", Number, nullable=False),
    Column("key", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("status", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("created_at", Instant, nullable=False, index=True),
    PrimaryKeyConstraint("client", "key"),
)

Index(
    "ix_boards_unrevealed",
    boards.c.week,
    sqlite_where=text("revealed_at IS NULL"),
    postgresql_where=text("revealed_at IS NULL"),
)

audit = Table(  # who did what and when; written in the transaction that did it
    "audit",
    metadata,
    Column("id", Number, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("client", Number, nullable=False),
    Column("verb", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("detail", Text, nullable=False),
)
