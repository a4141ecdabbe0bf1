"""What tests drive the bot with: a person in a pretend Discord, and the sandbox page."""
