"""The daily digest."""
