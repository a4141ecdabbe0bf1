"""Limits of how long data are kept, and the deletion of older data."""
