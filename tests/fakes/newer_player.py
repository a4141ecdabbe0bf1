"""A ``player`` of a later version, which has one more revision: ``python newer_player.py URL GAME FOLDER``."""

import runpy
import sys
from pathlib import Path

from sqlalchemy import Column, String

from bot.core.storage import revisions
from bot.games.tables import games

revisions.FOLDERS.append(Path(sys.argv.pop()))
games.append_column(Column("mood", String(8), nullable=False, server_default="calm"))
runpy.run_path(str(Path(__file__).with_name("player.py")), run_name="__main__")
