"""Help, rules by topic, guided tours."""
