"""Interactions of people with the bot: they are made, sent, answered and followed up here."""
