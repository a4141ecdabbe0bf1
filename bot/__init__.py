"""The bot: Discord on one side, the database on the other."""
