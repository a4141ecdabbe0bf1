"""What is stored about a user: export and deletion."""

from bot.core.feature import Feature

FEATURE = Feature()
