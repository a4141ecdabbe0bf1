"""Setting up a tournament, announcing it, joining and leaving it."""
