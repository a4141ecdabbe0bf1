"""What every feature stands on: database, interactions, translations, randomness, workers. It knows no feature."""
