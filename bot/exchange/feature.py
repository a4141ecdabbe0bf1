"""Games, matches and positions in the formats of other programs: export, import, the analysis board."""

from bot.core.feature import Feature

FEATURE = Feature()
