"""A player's games: the list, the next one, and taking a game to another channel."""
