"""Vacations: taking one, ending it, and how many days a server allows."""
