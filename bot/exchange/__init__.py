"""Games, matches and positions in the formats of other programs: export, import, the analysis board."""
