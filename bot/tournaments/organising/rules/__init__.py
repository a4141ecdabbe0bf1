"""What each act of an organiser changes, and what undoing it writes back: functions of the tournament."""
