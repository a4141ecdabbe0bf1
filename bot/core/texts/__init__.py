"""What users have typed: how it is stored and shown."""
