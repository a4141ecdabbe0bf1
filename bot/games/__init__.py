"""Games in play: their records in the database, and the commands that change them."""
