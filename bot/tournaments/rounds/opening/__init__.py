"""Opening the games of pairings."""
