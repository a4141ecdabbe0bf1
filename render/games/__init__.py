"""One module per game: how its board is drawn and described in words."""
