"""Replay, animation and written record of a game."""

from bot.archive import views
from bot.archive.commands import commands
from bot.core.feature import Feature

FEATURE = Feature(handlers=(views.handlers,), commands=commands)
