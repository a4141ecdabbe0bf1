"""What users are told of challenges."""
