"""The base of every feature: database, interactions, translations, randomness, workers. It imports no feature."""
