"""Counters and timers for monitoring. Each use costs a microsecond or two."""
