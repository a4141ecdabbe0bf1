"""How much one person, one pair and one server may ask for."""
