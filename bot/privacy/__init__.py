"""What is stored about a user: export and deletion."""
