"""The acts of organisers in a tournament (adjudicate, correct, pair again, pause, expel), and the public log."""
