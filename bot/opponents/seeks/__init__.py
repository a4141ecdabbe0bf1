"""Seeks: challenges to anyone, which the machine accepts if nobody else does."""
