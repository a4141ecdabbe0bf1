"""Delivers boards to their channels: the publisher, delivery errors, permission issues."""
