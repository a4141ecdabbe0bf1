"""Notifications: the outbox, the dispatcher, reminders, the daily digest, quiet hours."""
