"""Slash commands: each reads the interaction, calls a service, answers."""
