"""Ratings of players."""

from bot.core.feature import Feature

FEATURE = Feature()
