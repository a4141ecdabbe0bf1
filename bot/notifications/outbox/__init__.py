"""Notifications that wait to be sent."""
