"""The steps of a tournament, each inside an open change: start, round, result, end."""
