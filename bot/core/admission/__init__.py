"""Which interactions are answered at all."""
