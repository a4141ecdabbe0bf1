"""Games whose channel was deleted: the bot opens them anew where the tournament goes on."""
