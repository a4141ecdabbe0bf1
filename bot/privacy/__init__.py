"""Export and deletion of the data stored about a user."""
