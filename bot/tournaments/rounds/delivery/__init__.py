"""Rounds on Discord: threads, messages, members and roles."""
