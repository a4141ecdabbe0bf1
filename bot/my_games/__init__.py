"""The games of a player: the list, the next game, and moving a game to another channel."""
