"""Tools by which tests drive the bot: a person in a pretend Discord, and the sandbox page."""
