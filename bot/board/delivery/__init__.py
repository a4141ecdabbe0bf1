"""Bringing boards to their channels: the publisher, delivery errors, missing permissions."""
