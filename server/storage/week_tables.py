"""The tables of weeks, ratings and week totals."""

from sqlalchemy import (
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

from server.storage.tables import metadata
from server.storage.types import Instant, Number

weeks = Table(  # what was made of a week and pool; by the clock alone it opens and ends
    "weeks",
    metadata,
    Column("week", Text, nullable=False),
    Column("pool", Text, nullable=False),
    Column("revision", Integer, nullable=False, server_default="0"),  # the last published; 0: none
    Column("snapshot", Number),  # of that revision
    Column("late_from", Instant),  # from then on what comes for it is late; null: never rated, it takes all
    Column("changes", Number, nullable=False, server_default="0"),  # sum of the boards' change numbers read
    Column("closing_at", Instant),  # somebody who is rating it was alive then
    PrimaryKeyConstraint("week", "pool"),
)

snapshots = Table(  # the ratings at the end of a week, made once and never changed
    "snapshots",
    metadata,
    Column("id", Number, primary_key=True),
    Column("week", Text, nullable=False),
    Column("pool", Text, nullable=False),
    Column("revision", Integer),  # null: not published
    Column("before", Number),  # the snapshot it is built upon
    Column("algorithm", Integer, nullable=False),
    Column("rules", Text, nullable=False),  # JSON: what this installation settles itself
    Column("input", Text, nullable=False),  # digest of what it was made from; empty: given up
    Column("checksum", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("made_at", Instant, nullable=False),  # somebody who was making it was alive then
    Column("published_at", Instant),
    UniqueConstraint("week", "pool", "revision"),
)

ratings = Table(  # a player's row of a snapshot
    "ratings",
    metadata,
    Column("snapshot", Number, nullable=False),
    Column("player", Number, nullable=False),
    # What the next week needs.
    Column("rate", Double, nullable=False),
    Column("weight", Double, nullable=False),
    Column("rated", Integer, nullable=False),  # board Rates ever had
    Column("recent", Double, nullable=False),
    Column("total_boards", Number, nullable=False),
    # What the week was.
    Column("week_rate", Double),  # null: no board Rate
    Column("week_rated", Integer, nullable=False),
    Column("points", Number, nullable=False),  # ten-thousandths
    Column("boards", Integer, nullable=False),
    Column("disconnects", Integer, nullable=False),
    Column("joint_index", Double),
    Column("joint_bar", Double),
    Column("flags", Integer, nullable=False),  # 1 provisional, 2 pair only, 4 island
    # Places on the three lists; 0: none. Places won since last week; null: not known.
    Column("skill_rank", Integer, nullable=False),
    Column("points_rank", Integer, nullable=False),
    Column("joint_rank", Integer, nullable=False),
    Column("skill_moved", Integer),
    Column("points_moved", Integer),
    Column("joint_moved", Integer),
    PrimaryKeyConstraint("snapshot", "player"),
    Index("ix_ratings_player", "player"),
    Index("ix_ratings_skill", "snapshot", "skill_rank"),
    Index("ix_ratings_points", "snapshot", "points_rank"),
    Index("ix_ratings_joint", "snapshot", "joint_rank"),
)

rating_sums = Table(  # the joint rating's faded sums, in parts; of the last weeks only
    "rating_sums",
    metadata,
    Column("snapshot", Number, nullable=False),
    Column("part", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
    PrimaryKeyConstraint("snapshot", "part"),
)

tallies = Table(  # what a board gave to its players' week totals when it was last counted
    "tallies",
    metadata,
    Column("board", Number, ForeignKey("boards.id"), primary_key=True),
    Column("change", Number, nullable=False),  # the board's, then
    Column("lines", Text, nullable=False),  # JSON
)

week_totals = Table(  # a player's figures of a week and pool, from the tallies
    "week_totals",
    metadata,
    Column("week", Text, nullable=False),
    Column("pool", Text, nullable=False),
    Column("player", Number, nullable=False),
    Column("points", Number, nullable=False),  # ten-thousandths, field scores and disconnects
    Column("boards", Integer, nullable=False),
    Column("disconnects", Integer, nullable=False),
    Column("duplicate", Number, nullable=False),  # ten-thousandths, awards and disconnects
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    PrimaryKeyConstraint("week", "pool", "player"),
    Index("ix_week_totals_player", "player"),
)
