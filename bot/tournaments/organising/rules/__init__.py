"""The effects of each act of an organiser and of undoing it, as functions of the tournament."""
