"""Time: time controls, deadlines, rest hours, and how they are said."""
