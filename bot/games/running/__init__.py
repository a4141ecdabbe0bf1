"""How a command of a game is carried out: found, brought up to now, settled, committed."""
