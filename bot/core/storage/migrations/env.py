"""Alembic's entry point: runs the revisions on the given connection, or on the database of the settings."""

import asyncio
from importlib import import_module
from pathlib import Path

from alembic import context
from sqlalchemy import Connection

from bot.core.storage.tables import metadata

REPLICATION = "_litestream_"
"""Litestream keeps tables of its own in the file that it replicates."""
FEATURES = Path(__file__).parents[3]
for module in sorted(FEATURES.rglob("tables.py")):  # fills the metadata that Alembic compares the database with
    import_module(".".join(("bot", *module.relative_to(FEATURES).with_suffix("").parts)))


def run(connection: Connection) -> None:
    # render_as_batch: SQLite cannot alter a column, so Alembic copies the table there
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=True,
        compare_type=True,
        include_name=lambda name, kind, _: not (kind == "table" and str(name).startswith(REPLICATION)),
    )
    with context.begin_transaction():
        context.run_migrations()


async def run_on_settings() -> None:
    from bot.core.storage.database import Database
    from bot.settings import Settings

    database = Database(Settings.load().database_url)
    try:
        async with database.writing() as connection:
            await connection.run_sync(run)
    finally:
        await database.close()


given = context.config.attributes.get("connection")
if given is None:
    asyncio.run(run_on_settings())
else:
    run(given)
