"""Servers that have removed the bot."""
