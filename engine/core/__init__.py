"""The shared parts of all games: the contract, the record, the table, the clock, the search."""
