"""What all games share: the contract, the record, the table, the clock, the search."""
