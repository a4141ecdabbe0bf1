"""The use cases. They know no Discord."""
