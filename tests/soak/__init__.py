"""A soak: two bots on one PostgreSQL, many players, faults and kills all the time.

An oracle then judges what the players were told.
"""
