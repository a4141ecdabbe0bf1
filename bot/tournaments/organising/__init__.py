"""The acts of organisers in a running tournament: adjudicate, correct, pair again, pause, expel. The public log."""
