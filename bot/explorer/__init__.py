"""Statistics of the moves played from a position, and of their results."""
