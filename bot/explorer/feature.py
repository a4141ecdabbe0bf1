"""What was played from a position, and how it ended."""

from bot.core.feature import Feature

FEATURE = Feature()
