"""The filing cabinet: tables and queries. Nothing is decided here."""
