"""What was played from a position, and how it ended."""
