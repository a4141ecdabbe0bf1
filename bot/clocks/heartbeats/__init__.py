"""Heartbeats of the shards. Gaps between them are outages, in which the bot could not accept moves."""
