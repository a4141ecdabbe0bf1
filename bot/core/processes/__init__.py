"""Several processes as one bot: they share the shards, and hear of each other's changes."""
