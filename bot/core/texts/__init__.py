"""Texts that users have typed: how they are stored and shown."""
