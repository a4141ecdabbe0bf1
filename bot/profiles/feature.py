"""Profiles of players, and leaderboards."""

from bot.core.feature import Feature

FEATURE = Feature()
