"""Making a move: the picker, typed moves, suggestions, refusals."""
