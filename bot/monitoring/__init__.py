"""Monitoring of the bot from outside. Metrics counted during other work are in ``bot/core/metrics``."""
