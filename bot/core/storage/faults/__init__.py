"""What can be wrong with the database, and what the bot knows and says of it."""
