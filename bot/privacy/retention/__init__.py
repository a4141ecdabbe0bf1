"""The time for which data are kept, and the deletion of older data."""
