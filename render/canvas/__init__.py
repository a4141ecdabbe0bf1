"""The parts of pictures: antialiased shapes, text, pieces, marks, and the sheet that they are drawn on."""
