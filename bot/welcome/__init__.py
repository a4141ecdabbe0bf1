"""The greeting of a server that the bot has joined."""
