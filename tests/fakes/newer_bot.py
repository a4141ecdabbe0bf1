"""The bot of a later release, with one more revision and one more command: ``python newer_bot.py FOLDER RELEASE``."""

import sys
from importlib import metadata
from pathlib import Path

from discord import app_commands
from sqlalchemy import Column, String

from bot import app
from bot.__main__ import main
from bot.core.feature import Feature
from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.storage import revisions
from bot.games.tables import games


def groups(context: Context) -> list[app_commands.Group]:
    """Returns the group of ``/later mood``."""
    later = app_commands.Group(name="later", description="What only this release can do")

    @later.command(name="mood", description="What only this release can say")
    async def mood(interaction: Interaction) -> None:
        async def work(answer: Answer) -> None:
            await answer.private("calm")

        await context.answer(interaction, work)

    return [later]


def become(folder: Path, release: str) -> None:
    """Makes this process one of that release. ``folder`` has its revision."""
    version, features = metadata.version, (*app.FEATURES, Feature(groups=groups))
    games.append_column(Column("mood", String(8), nullable=False, server_default="calm"))
    revisions.FOLDERS.append(folder)
    vars(metadata)["version"] = lambda name: release if name == "abakbot" else version(name)
    vars(app)["FEATURES"] = features


if __name__ == "__main__":
    become(Path(sys.argv[1]), sys.argv[2])
    main(["run"])
