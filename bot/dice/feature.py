"""The proof of every roll, and the statistics of dice."""

from bot.core.feature import Feature

FEATURE = Feature()
