"""A game in play: its record in the database, and the commands that change it."""
