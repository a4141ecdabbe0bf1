"""Actions that are not moves on the board: resign, draw, takeback, the cube, pauses, claims."""
