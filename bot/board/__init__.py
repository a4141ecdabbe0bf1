"""The public message of a game: its text, its picture, its buttons."""
