"""Actions that are not moves on the board."""

from bot.actions import clock_actions, cube_actions, game_actions
from bot.actions.commands import commands
from bot.core.feature import Feature

FEATURE = Feature(
    handlers=(game_actions.handlers, cube_actions.handlers, clock_actions.handlers),
    commands=commands,
)
