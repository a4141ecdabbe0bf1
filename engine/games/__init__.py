"""One package per game; none knows another."""
