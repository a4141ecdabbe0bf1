"""Runs the revisions on the given connection, or on the database of the settings. Alembic's entry point."""

import asyncio

from alembic import context
from sqlalchemy import Connection

from bot.core.storage.revisions import COMPARISON
from bot.core.storage.tables import metadata, name_conditions

name_conditions()  # loads all tables, too: Alembic compares the database with their metadata


def run(connection: Connection) -> None:
    # render_as_batch: SQLite cannot alter a column, so Alembic copies the table there
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=True,
        **COMPARISON,
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
