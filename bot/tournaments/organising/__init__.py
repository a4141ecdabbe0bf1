"""What organisers do in a running tournament: adjudicate, correct, pair again, pause, expel; and the public log."""
