"""How an answer reaches Discord, and what is known of one that may not have."""
