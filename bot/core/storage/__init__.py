"""The database: connections, transactions, the shared table metadata, migrations."""
