"""Running a tournament: pairs its rounds, opens the games, takes their results, and ends it."""
