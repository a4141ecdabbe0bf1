"""Players and servers: their names and preferences, and the panels that change them."""
