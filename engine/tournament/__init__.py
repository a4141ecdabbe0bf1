"""Tournaments as functions of their results: who meets whom next, and who stands where."""
