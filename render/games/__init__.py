"""One module per game: the drawing of its board, and its description in words."""
