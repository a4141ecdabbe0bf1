"""Export of the data stored about a user."""
