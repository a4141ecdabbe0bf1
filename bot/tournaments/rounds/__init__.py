"""Running tournaments: pairing rounds, opening games, taking results, ending."""
