"""Matches: games between the same two players until one has won."""
