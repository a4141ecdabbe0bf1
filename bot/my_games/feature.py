"""The games of a player."""

from bot.core.feature import Feature
from bot.my_games import views
from bot.my_games.commands import commands

FEATURE = Feature(handlers=(views.handlers,), commands=commands)
