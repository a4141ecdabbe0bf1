"""ChallengeService and rematches."""
