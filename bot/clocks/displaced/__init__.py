"""Games whose channel was deleted."""
