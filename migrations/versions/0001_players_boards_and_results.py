"""Players, boards and results

Rules: every migration goes up and down without losing a row; on SQLite a table is copied in batch mode,
with foreign keys off during the copy (a copied parent would take its children with it).

Revision: 0001
Revises: nothing, it is the first
"""

import sqlalchemy as sa
from alembic import op

from server.storage.types import Instant, Number, Scores

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "board_sets",
        sa.Column("week", sa.Text(), nullable=False),
        sa.Column("pool", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("week", "pool", name=op.f("pk_board_sets")),
    )
    op.create_table(
        "clients",
        sa.Column("number", Number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_clients")),
        sa.UniqueConstraint("name", name=op.f("uq_clients_name")),
    )
    op.create_table(
        "installation",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_installation")),
    )
    op.create_table(
        "players",
        sa.Column("number", Number, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("alias", sa.Text(), nullable=True),
        sa.Column("hidden", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("member", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("person", Number, nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["players.number"], name=op.f("fk_players_person")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_players")),
        sa.UniqueConstraint("id", name=op.f("uq_players_id")),
    )
    with op.batch_alter_table("players", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_players_person"), ["person"], unique=False)

    op.create_table(
        "audit",
        sa.Column("id", Number, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("client", Number, nullable=False),
        sa.Column("verb", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["client"], ["clients.number"], name=op.f("fk_audit_client")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_table(
        "boards",
        sa.Column("id", Number, nullable=False),
        sa.Column("week", sa.Text(), nullable=True),
        sa.Column("pool", sa.Text(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("dealer", sa.Text(), nullable=False),
        sa.Column("vulnerability", sa.Text(), nullable=False),
        sa.Column("deal", sa.Text(), nullable=True),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("score_at", sa.Integer(), nullable=False),
        sa.Column("retire_at", sa.Integer(), nullable=True),
        sa.Column("trim", sa.Text(), nullable=False),
        sa.Column("scores", Scores(), server_default="", nullable=False),
        sa.Column("last_sequence", sa.Integer(), server_default="0", nullable=False),
        sa.Column("ruled", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("retired_at", Instant(), nullable=True),
        sa.Column("withdrawn_at", Instant(), nullable=True),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("change", Number, server_default="0", nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.CheckConstraint("number > 0", name=op.f("ck_boards_number")),
        sa.CheckConstraint(
            "score_at > 0 AND (retire_at IS NULL OR retire_at >= score_at)", name=op.f("ck_boards_thresholds")
        ),
        sa.ForeignKeyConstraint(
            ["week", "pool"], ["board_sets.week", "board_sets.pool"], name="fk_boards_set"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_boards")),
        sa.UniqueConstraint("week", "pool", "number", name=op.f("uq_boards_week_pool_number")),
    )
    op.create_table(
        "idempotency",
        sa.Column("client", Number, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["client"], ["clients.number"], name=op.f("fk_idempotency_client")),
        sa.PrimaryKeyConstraint("client", "key", name=op.f("pk_idempotency")),
    )
    with op.batch_alter_table("idempotency", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_idempotency_created_at"), ["created_at"], unique=False)

    op.create_table(
        "tokens",
        sa.Column("number", Number, nullable=False),
        sa.Column("client", Number, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("expires_at", Instant(), nullable=True),
        sa.Column("revoked_at", Instant(), nullable=True),
        sa.ForeignKeyConstraint(["client"], ["clients.number"], name=op.f("fk_tokens_client")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_tokens")),
        sa.UniqueConstraint("digest", name=op.f("uq_tokens_digest")),
    )
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tokens_client"), ["client"], unique=False)

    op.create_table(
        "assignments",
        sa.Column("id", Number, nullable=False),
        sa.Column("board", Number, nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("client", Number, nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("expires_at", Instant(), nullable=False),
        sa.Column("ended_at", Instant(), nullable=True),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name=op.f("fk_assignments_board")),
        sa.ForeignKeyConstraint(["client"], ["clients.number"], name=op.f("fk_assignments_client")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
    )
    with op.batch_alter_table("assignments", schema=None) as batch_op:
        batch_op.create_index("ix_assignments_board_table_name", ["board", "table_name"], unique=False)
        batch_op.create_index("ix_assignments_expires_at", ["expires_at"], unique=False)

    op.create_table(
        "disconnects",
        sa.Column("board", Number, nullable=False),
        sa.Column("player", Number, nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=True),
        sa.Column("client", Number, nullable=False),
        sa.Column("received_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name=op.f("fk_disconnects_board")),
        sa.ForeignKeyConstraint(["client"], ["clients.number"], name=op.f("fk_disconnects_client")),
        sa.ForeignKeyConstraint(["player"], ["players.number"], name=op.f("fk_disconnects_player")),
        sa.PrimaryKeyConstraint("board", "player", name=op.f("pk_disconnects")),
    )
    with op.batch_alter_table("disconnects", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_disconnects_player"), ["player"], unique=False)

    op.create_table(
        "exposures",
        sa.Column("board", Number, nullable=False),
        sa.Column("player", Number, nullable=False),
        sa.Column("since", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name=op.f("fk_exposures_board")),
        sa.ForeignKeyConstraint(["player"], ["players.number"], name=op.f("fk_exposures_player")),
        sa.PrimaryKeyConstraint("board", "player", name=op.f("pk_exposures")),
    )
    with op.batch_alter_table("exposures", schema=None) as batch_op:
        batch_op.create_index("ix_exposures_player_board", ["player", "board"], unique=False)

    op.create_table(
        "results",
        sa.Column("board", Number, nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("north", Number, nullable=False),
        sa.Column("east", Number, nullable=False),
        sa.Column("south", Number, nullable=False),
        sa.Column("west", Number, nullable=False),
        sa.Column("contract", sa.Text(), nullable=True),
        sa.Column("declarer", sa.Text(), nullable=True),
        sa.Column("tricks", sa.Integer(), nullable=True),
        sa.Column("lead", sa.Text(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("live", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("client", Number, nullable=False),
        sa.Column("received_at", Instant(), nullable=False),
        sa.Column("played_at", Instant(), nullable=True),
        sa.Column("details", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name=op.f("fk_results_board")),
        sa.ForeignKeyConstraint(["client"], ["clients.number"], name=op.f("fk_results_client")),
        sa.PrimaryKeyConstraint("board", "sequence", name=op.f("pk_results")),
    )
    with op.batch_alter_table("results", schema=None) as batch_op:
        batch_op.create_index(
            "uq_results_board_table_name",
            ["board", "table_name"],
            unique=True,
            sqlite_where=sa.text("live"),
            postgresql_where=sa.text("live"),
        )

    op.create_table(
        "awards",
        sa.Column("board", Number, nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("ns", sa.Integer(), nullable=False),
        sa.Column("ew", sa.Integer(), nullable=False),
        sa.Column("datum", sa.Integer(), nullable=True),
        sa.Column("results", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["board", "sequence"],
            ["results.board", "results.sequence"],
            name=op.f("fk_awards_board_sequence"),
        ),
        sa.PrimaryKeyConstraint("board", "sequence", name=op.f("pk_awards")),
    )
    op.create_table(
        "plays",
        sa.Column("board", Number, nullable=False),
        sa.Column("player", Number, nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["board", "sequence"], ["results.board", "results.sequence"], name=op.f("fk_plays_board_sequence")
        ),
        sa.ForeignKeyConstraint(["player"], ["players.number"], name=op.f("fk_plays_player")),
        sa.PrimaryKeyConstraint("board", "player", name=op.f("pk_plays")),
    )
    with op.batch_alter_table("plays", schema=None) as batch_op:
        batch_op.create_index("ix_plays_player_board", ["player", "board"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("plays", schema=None) as batch_op:
        batch_op.drop_index("ix_plays_player_board")

    op.drop_table("plays")
    op.drop_table("awards")
    with op.batch_alter_table("results", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_results_board_table_name", sqlite_where=sa.text("live"), postgresql_where=sa.text("live")
        )

    op.drop_table("results")
    with op.batch_alter_table("exposures", schema=None) as batch_op:
        batch_op.drop_index("ix_exposures_player_board")

    op.drop_table("exposures")
    with op.batch_alter_table("disconnects", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_disconnects_player"))

    op.drop_table("disconnects")
    with op.batch_alter_table("assignments", schema=None) as batch_op:
        batch_op.drop_index("ix_assignments_expires_at")
        batch_op.drop_index("ix_assignments_board_table_name")

    op.drop_table("assignments")
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tokens_client"))

    op.drop_table("tokens")
    with op.batch_alter_table("idempotency", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_idempotency_created_at"))

    op.drop_table("idempotency")
    op.drop_table("boards")
    op.drop_table("audit")
    with op.batch_alter_table("players", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_players_person"))

    op.drop_table("players")
    op.drop_table("installation")
    op.drop_table("clients")
    op.drop_table("board_sets")
