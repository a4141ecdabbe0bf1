"""Pictures of tournaments: standings, crosstables, brackets, ladders, calendars, podiums."""
