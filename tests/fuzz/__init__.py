"""Generated texts for everything that reads what somebody typed, sent or uploaded.

``PYTHONPATH=tests python -m fuzz --inputs 1000000`` runs all targets; the tests run a short form.
"""
