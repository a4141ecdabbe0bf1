"""Runs a game's commands: load the game, add elapsed time, apply the command, settle, commit."""
