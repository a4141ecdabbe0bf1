"""Heartbeats of the shards: they show when the bot could take no moves."""
