"""Time zones by the names of places: cities, countries, offsets from UTC."""
