"""The public message of a game: what it says, its picture, its buttons."""
