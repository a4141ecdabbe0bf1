"""Looking back at a game: replay, animation, written record."""
