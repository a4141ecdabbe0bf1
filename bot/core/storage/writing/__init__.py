"""What a transaction announces, which constraint it has violated, and locks of users."""
