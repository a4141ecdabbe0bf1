"""Server tournaments: they register players, pair rounds, open the games, and find a winner by themselves."""
