"""Time: time controls, deadlines, time off, heartbeats, and their texts."""
