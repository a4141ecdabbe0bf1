"""The formats: the rules of pairing of each."""
