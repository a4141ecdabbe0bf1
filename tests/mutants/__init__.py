"""Mutants: one thing of the product is changed at a time, in a copy, to see whether a test notices it.

``scripts/mutants N SEED``; ``changes.py`` says what can be changed, ``selection.py`` which tests are run.
"""
