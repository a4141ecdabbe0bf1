"""Starting the game of an accepted challenge."""
