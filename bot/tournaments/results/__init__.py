"""Looking at a tournament: standings, pairings, brackets, calendars, exports."""
