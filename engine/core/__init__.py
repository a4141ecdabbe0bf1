"""What every game shares: the contract, the record, the table, the search."""
