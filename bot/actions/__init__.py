"""What is said and not moved: resign, draw, takeback, the cube, pauses, claims."""
