"""Events: pairs, rounds, tables, boards and scores; master points and grades

Rules: every migration goes up and down without losing a row; on SQLite a table is copied in batch mode,
with foreign keys off during the copy (a copied parent would take its children with it).

Going down drops the events; their boards and results stay.

Revision: 0006
Revises: 0005
"""

import sqlalchemy as sa
from alembic import op

from server.storage.types import Instant, Number, Scores

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "grades",
        sa.Column("player", Number, autoincrement=False, nullable=False),
        sa.Column("grade", sa.Integer(), nullable=False),
        sa.Column("since", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_grades")),
    )
    op.create_table(
        "events",
        sa.Column("id", Number, nullable=False),
        sa.Column("client", Number, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("seeded", Scores(), server_default=sa.text("''"), nullable=False),
        sa.Column("protected", Scores(), server_default=sa.text("''"), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("ends_at", Instant(), nullable=True),
        sa.Column("appear_by", Instant(), nullable=True),
        sa.Column("paused_at", Instant(), nullable=True),
        sa.Column("paused_in", sa.Text(), nullable=True),
        sa.Column("pauses", sa.Integer(), server_default="0", nullable=False),
        sa.Column("seen_at", Instant(), nullable=False),
        sa.Column("issued", sa.Integer(), server_default="0", nullable=False),
        sa.Column("published_at", Instant(), nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["client"], ["clients.number"], name=op.f("fk_events_client")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    op.create_index(
        "ix_events_live",
        "events",
        ["id"],
        unique=False,
        sqlite_where=sa.text("state NOT IN ('finished', 'cancelled')"),
        postgresql_where=sa.text("state NOT IN ('finished', 'cancelled')"),
    )
    op.create_table(
        "event_arrivals",
        sa.Column("event", Number, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("player", Number, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_event_arrivals_event")),
        sa.PrimaryKeyConstraint("event", "round", "player", name=op.f("pk_event_arrivals")),
    )
    op.create_table(
        "event_entries",
        sa.Column("event", Number, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("first", Number, nullable=False),
        sa.Column("second", Number, nullable=False),
        sa.Column("registered_at", Instant(), nullable=False),
        sa.Column("first_round", sa.Integer(), nullable=False),
        sa.Column("cancelled_at", Instant(), nullable=True),
        sa.Column("withdrawn_at", Instant(), nullable=True),
        sa.Column("absent_in", sa.Integer(), nullable=True),
        sa.Column("ready", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.CheckConstraint("first <> second", name=op.f("ck_event_entries_two")),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_event_entries_event")),
        sa.ForeignKeyConstraint(["first"], ["players.number"], name=op.f("fk_event_entries_first")),
        sa.ForeignKeyConstraint(["second"], ["players.number"], name=op.f("fk_event_entries_second")),
        sa.PrimaryKeyConstraint("event", "number", name=op.f("pk_event_entries")),
    )
    op.create_table(
        "event_penalties",
        sa.Column("id", Number, nullable=False),
        sa.Column("event", Number, nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("amount", sa.Integer(), server_default="0", nullable=False),
        sa.Column("until_round", sa.Integer(), nullable=True),
        sa.Column("until_at", Instant(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("client", Number, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_event_penalties_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event_penalties")),
    )
    op.create_index(op.f("ix_event_penalties_event"), "event_penalties", ["event"], unique=False)
    op.create_table(
        "event_rounds",
        sa.Column("event", Number, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=True),
        sa.Column("by_hand", sa.Text(), nullable=True),
        sa.Column("sit_outs", Scores(), server_default=sa.text("''"), nullable=False),
        sa.Column("started_at", Instant(), nullable=True),
        sa.Column("appear_by", Instant(), nullable=True),
        sa.Column("ended_at", Instant(), nullable=True),
        sa.Column("scored_at", Instant(), nullable=True),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_event_rounds_event")),
        sa.PrimaryKeyConstraint("event", "round", name=op.f("pk_event_rounds")),
    )
    op.create_table(
        "event_seats",
        sa.Column("event", Number, nullable=False),
        sa.Column("table_number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("player", Number, nullable=False),
        sa.Column("hand_up_since", Instant(), nullable=True),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_event_seats_event")),
        sa.ForeignKeyConstraint(["player"], ["players.number"], name=op.f("fk_event_seats_player")),
        sa.PrimaryKeyConstraint("event", "table_number", "seat", name=op.f("pk_event_seats")),
        sa.UniqueConstraint("event", "player", name=op.f("uq_event_seats_event_player")),
    )
    op.create_table(
        "event_substitutes",
        sa.Column("event", Number, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("player", Number, nullable=False),
        sa.Column("substitute", Number, nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_event_substitutes_event")),
        sa.ForeignKeyConstraint(["player"], ["players.number"], name=op.f("fk_event_substitutes_player")),
        sa.ForeignKeyConstraint(
            ["substitute"], ["players.number"], name=op.f("fk_event_substitutes_substitute")
        ),
        sa.PrimaryKeyConstraint("event", "round", "player", name=op.f("pk_event_substitutes")),
        sa.UniqueConstraint(
            "event", "round", "substitute", name=op.f("uq_event_substitutes_event_round_substitute")
        ),
    )
    op.create_table(
        "event_transitions",
        sa.Column("event", Number, nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("pauses", sa.Integer(), nullable=False),
        sa.Column("due_at", Instant(), nullable=False),
        sa.Column("done_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_event_transitions_event")),
        sa.PrimaryKeyConstraint(
            "event", "before", "after", "round", "pauses", name=op.f("pk_event_transitions")
        ),
    )
    op.create_table(
        "masterpoints",
        sa.Column("event", Number, nullable=False),
        sa.Column("player", Number, nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("pairs", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_masterpoints_event")),
        sa.PrimaryKeyConstraint("event", "player", name=op.f("pk_masterpoints")),
    )
    op.create_index(op.f("ix_masterpoints_player"), "masterpoints", ["player"], unique=False)
    op.create_table(
        "event_boards",
        sa.Column("event", Number, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("board", Number, nullable=False),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name=op.f("fk_event_boards_board")),
        sa.ForeignKeyConstraint(
            ["event", "round"], ["event_rounds.event", "event_rounds.round"], name="fk_event_boards_round"
        ),
        sa.PrimaryKeyConstraint("event", "number", name=op.f("pk_event_boards")),
        sa.UniqueConstraint("board", name=op.f("uq_event_boards_board")),
    )
    op.create_table(
        "event_matches",
        sa.Column("event", Number, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("table_number", sa.Integer(), nullable=False),
        sa.Column("ns", sa.Integer(), nullable=False),
        sa.Column("ew", sa.Integer(), nullable=False),
        sa.Column("sits_first", sa.Integer(), nullable=False),
        sa.Column("dealt", sa.Integer(), server_default="0", nullable=False),
        sa.CheckConstraint("ns <> ew", name=op.f("ck_event_matches_two")),
        sa.ForeignKeyConstraint(
            ["event", "round"], ["event_rounds.event", "event_rounds.round"], name="fk_event_matches_round"
        ),
        sa.PrimaryKeyConstraint("event", "round", "table_number", name=op.f("pk_event_matches")),
        sa.UniqueConstraint("event", "round", "ew", name=op.f("uq_event_matches_event_round_ew")),
        sa.UniqueConstraint("event", "round", "ns", name=op.f("uq_event_matches_event_round_ns")),
    )
    op.create_table(
        "event_players",
        sa.Column("event", Number, nullable=False),
        sa.Column("player", Number, nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event", "entry"], ["event_entries.event", "event_entries.number"], name="fk_event_players_entry"
        ),
        sa.PrimaryKeyConstraint("event", "player", name=op.f("pk_event_players")),
    )
    op.create_index(op.f("ix_event_players_player"), "event_players", ["player"], unique=False)
    op.create_table(
        "event_scores",
        sa.Column("event", Number, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("finished", sa.Integer(), nullable=False),
        sa.Column("boards", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event", "round"], ["event_rounds.event", "event_rounds.round"], name="fk_event_scores_round"
        ),
        sa.PrimaryKeyConstraint("event", "round", "entry", name=op.f("pk_event_scores")),
    )


def downgrade() -> None:
    op.drop_table("event_scores")
    op.drop_index(op.f("ix_event_players_player"), table_name="event_players")
    op.drop_table("event_players")
    op.drop_table("event_matches")
    op.drop_table("event_boards")
    op.drop_index(op.f("ix_masterpoints_player"), table_name="masterpoints")
    op.drop_table("masterpoints")
    op.drop_table("event_transitions")
    op.drop_table("event_substitutes")
    op.drop_table("event_seats")
    op.drop_table("event_rounds")
    op.drop_index(op.f("ix_event_penalties_event"), table_name="event_penalties")
    op.drop_table("event_penalties")
    op.drop_table("event_entries")
    op.drop_table("event_arrivals")
    op.drop_index(
        "ix_events_live",
        table_name="events",
        sqlite_where=sa.text("state NOT IN ('finished', 'cancelled')"),
        postgresql_where=sa.text("state NOT IN ('finished', 'cancelled')"),
    )
    op.drop_table("events")
    op.drop_table("grades")
