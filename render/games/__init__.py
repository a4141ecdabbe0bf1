"""One module a game: how its board is painted and told."""
