"""VacationService: taking one, coming back, and what a server allows."""
