"""Running tournaments: pairs rounds, opens games, takes results, ends tournaments."""
