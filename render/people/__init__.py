"""Pictures of players: profiles and leaderboards."""
