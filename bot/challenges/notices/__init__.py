"""Notifications about challenges."""
