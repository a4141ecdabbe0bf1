"""The private panel in which an organiser sets up a tournament."""
