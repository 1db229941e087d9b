"""Weeks: ratings at the end of each, and what players have made in the open one

Rules: every migration goes up and down without losing a row; on SQLite a table is copied in batch mode,
with foreign keys off during the copy (a copied parent would take its children with it).

Going down drops the ratings: they can be computed from the results again.

Revision: 0005
Revises: 0004
"""

import sqlalchemy as sa
from alembic import op

from server.storage.types import Instant, Number

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rating_sums",
        sa.Column("snapshot", Number, nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("snapshot", "part", name=op.f("pk_rating_sums")),
    )
    op.create_table(
        "ratings",
        sa.Column("snapshot", Number, nullable=False),
        sa.Column("player", Number, nullable=False),
        sa.Column("rate", sa.Double(), nullable=False),
        sa.Column("weight", sa.Double(), nullable=False),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.Column("recent", sa.Double(), nullable=False),
        sa.Column("total_boards", Number, nullable=False),
        sa.Column("week_rate", sa.Double(), nullable=True),
        sa.Column("week_rated", sa.Integer(), nullable=False),
        sa.Column("points", Number, nullable=False),
        sa.Column("boards", sa.Integer(), nullable=False),
        sa.Column("disconnects", sa.Integer(), nullable=False),
        sa.Column("joint_index", sa.Double(), nullable=True),
        sa.Column("joint_bar", sa.Double(), nullable=True),
        sa.Column("flags", sa.Integer(), nullable=False),
        sa.Column("skill_rank", sa.Integer(), nullable=False),
        sa.Column("points_rank", sa.Integer(), nullable=False),
        sa.Column("joint_rank", sa.Integer(), nullable=False),
        sa.Column("skill_moved", sa.Integer(), nullable=True),
        sa.Column("points_moved", sa.Integer(), nullable=True),
        sa.Column("joint_moved", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("snapshot", "player", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_joint", "ratings", ["snapshot", "joint_rank"], unique=False)
    op.create_index("ix_ratings_player", "ratings", ["player"], unique=False)
    op.create_index("ix_ratings_points", "ratings", ["snapshot", "points_rank"], unique=False)
    op.create_index("ix_ratings_skill", "ratings", ["snapshot", "skill_rank"], unique=False)
    op.create_table(
        "snapshots",
        sa.Column("id", Number, nullable=False),
        sa.Column("week", sa.Text(), nullable=False),
        sa.Column("pool", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=True),
        sa.Column("before", Number, nullable=True),
        sa.Column("algorithm", sa.Integer(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("input", sa.Text(), nullable=False),
        sa.Column("checksum", sa.Text(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("made_at", Instant(), nullable=False),
        sa.Column("published_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_snapshots")),
        sa.UniqueConstraint("week", "pool", "revision", name=op.f("uq_snapshots_week_pool_revision")),
    )
    op.create_table(
        "week_totals",
        sa.Column("week", sa.Text(), nullable=False),
        sa.Column("pool", sa.Text(), nullable=False),
        sa.Column("player", Number, nullable=False),
        sa.Column("points", Number, nullable=False),
        sa.Column("boards", sa.Integer(), nullable=False),
        sa.Column("disconnects", sa.Integer(), nullable=False),
        sa.Column("duplicate", Number, nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("week", "pool", "player", name=op.f("pk_week_totals")),
    )
    op.create_index("ix_week_totals_player", "week_totals", ["player"], unique=False)
    op.create_table(
        "weeks",
        sa.Column("week", sa.Text(), nullable=False),
        sa.Column("pool", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), server_default="0", nullable=False),
        sa.Column("snapshot", Number, nullable=True),
        sa.Column("late_from", Instant(), nullable=True),
        sa.Column("changes", Number, server_default="0", nullable=False),
        sa.Column("closing_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("week", "pool", name=op.f("pk_weeks")),
    )
    op.create_table(
        "tallies",
        sa.Column("board", Number, nullable=False),
        sa.Column("change", Number, nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name=op.f("fk_tallies_board")),
        sa.PrimaryKeyConstraint("board", name=op.f("pk_tallies")),
    )


def downgrade() -> None:
    op.drop_table("tallies")
    op.drop_table("weeks")
    op.drop_table("week_totals")
    op.drop_table("snapshots")
    op.drop_table("ratings")
    op.drop_table("rating_sums")
