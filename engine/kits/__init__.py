"""Code that some games share, such as dice and the cube."""
