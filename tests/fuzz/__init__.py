"""Generated inputs for everything that reads what somebody typed, sent or uploaded.

``PYTHONPATH=.:tests python -m fuzz --inputs 1000000`` gives texts to all targets and interactions to the bot; the tests
run a short form.
"""
