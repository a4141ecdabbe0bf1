"""The database: connections and transactions, the one metadata, migrations."""
