"""Rulings: what directors changed, and disconnects that come without a result

Rules: every migration goes up and down without losing a row; on SQLite a table is copied in batch mode,
with foreign keys off during the copy (a copied parent would take its children with it).

Disconnects get a number of their own and are copied into a table of the new shape. Going down drops the
revisions: results stay as they were ruled, and disconnects that were void count again.

Revision: 0004
Revises: 0003
"""

import sqlalchemy as sa
from alembic import op

from server.storage.types import Instant, Number

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

KEPT = "board, player, sequence, client, received_at"
SEATS = ("north", "east", "south", "west")


def upgrade() -> None:
    _set_aside()
    op.create_table(
        "disconnects",
        sa.Column("number", Number, nullable=False),
        sa.Column("board", Number, nullable=False),
        sa.Column("player", Number, nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=True),
        sa.Column("table_name", sa.Text(), nullable=True),
        *(sa.Column(seat, Number, nullable=True) for seat in SEATS),
        sa.Column("at", Instant(), nullable=True),
        sa.Column("live", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("client", Number, nullable=False),
        sa.Column("received_at", Instant(), nullable=False),
        *_foreign_keys(),
        *(
            sa.ForeignKeyConstraint([seat], ["players.number"], name=op.f(f"fk_disconnects_{seat}"))
            for seat in SEATS
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_disconnects")),
        sa.UniqueConstraint("board", "player", name=op.f("uq_disconnects_board_player")),
    )
    _take_back()
    op.create_table(
        "revisions",
        sa.Column("board", Number, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=True),
        sa.Column("disconnect", Number, nullable=True),
        sa.Column("arrived", sa.Integer(), nullable=False),
        sa.Column("basis", sa.Text(), nullable=True),
        sa.Column("infraction", sa.Text(), nullable=True),
        sa.Column("damage", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("client", Number, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name=op.f("fk_revisions_board")),
        sa.ForeignKeyConstraint(["disconnect"], ["disconnects.number"], name=op.f("fk_revisions_disconnect")),
        sa.ForeignKeyConstraint(["client"], ["clients.number"], name=op.f("fk_revisions_client")),
        sa.ForeignKeyConstraint(
            ["board", "sequence"], ["results.board", "results.sequence"], name="fk_revisions_result"
        ),
        sa.PrimaryKeyConstraint("board", "number", name=op.f("pk_revisions")),
    )
    op.create_index(op.f("ix_revisions_disconnect"), "revisions", ["disconnect"])


def downgrade() -> None:
    op.drop_index("ix_revisions_disconnect", table_name="revisions")
    op.drop_table("revisions")
    _set_aside()
    op.create_table(
        "disconnects",
        sa.Column("board", Number, nullable=False),
        sa.Column("player", Number, nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=True),
        sa.Column("client", Number, nullable=False),
        sa.Column("received_at", Instant(), nullable=False),
        *_foreign_keys(),
        sa.PrimaryKeyConstraint("board", "player", name=op.f("pk_disconnects")),
    )
    _take_back()


def _foreign_keys() -> list[sa.ForeignKeyConstraint]:
    named = (("board", "boards.id"), ("client", "clients.number"), ("player", "players.number"))
    return [
        sa.ForeignKeyConstraint([column], [other], name=op.f(f"fk_disconnects_{column}"))
        for column, other in named
    ]


def _set_aside() -> None:
    """Give the table another name, and free the names of what PostgreSQL counts as relations of their own."""
    op.drop_index("ix_disconnects_player", table_name="disconnects")
    op.rename_table("disconnects", "disconnects_before")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER INDEX pk_disconnects RENAME TO pk_disconnects_before")
        op.execute("ALTER INDEX IF EXISTS uq_disconnects_board_player RENAME TO uq_disconnects_before")
        op.execute("ALTER SEQUENCE IF EXISTS disconnects_number_seq RENAME TO disconnects_before_number_seq")


def _take_back() -> None:
    order = "ORDER BY board, player"
    op.execute(f"INSERT INTO disconnects ({KEPT}) SELECT {KEPT} FROM disconnects_before {order}")
    op.drop_table("disconnects_before")
    op.create_index("ix_disconnects_player", "disconnects", ["player"])
