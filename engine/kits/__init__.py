"""What two games share, and no more."""
