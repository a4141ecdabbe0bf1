"""The proof of every roll, and the statistics of dice."""
