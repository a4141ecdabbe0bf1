"""Matches and series: several games between the same two players."""
