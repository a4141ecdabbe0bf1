"""Positions as pictures, and the words for those who do not see them."""
