"""The state of a world: people, servers, channels, commands, messages, permissions, and the events of their changes."""
