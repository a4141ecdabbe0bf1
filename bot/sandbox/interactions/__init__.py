"""Interactions of people with the bot: makes, sends, answers and follows them up."""
