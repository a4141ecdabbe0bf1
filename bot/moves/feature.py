"""Making a move."""

from bot.core.feature import Feature
from bot.moves import picker, refusal
from bot.moves.commands import commands

FEATURE = Feature(handlers=(picker.handlers, refusal.handlers), commands=commands)
