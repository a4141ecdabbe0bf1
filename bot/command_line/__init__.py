"""Holds the commands of the command line, by subject."""
