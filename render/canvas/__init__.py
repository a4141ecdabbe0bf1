"""What pictures are made of: antialiased shapes, text, pieces, marks, and the sheet that they are put on."""
