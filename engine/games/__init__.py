"""One package per game; games do not import each other."""
