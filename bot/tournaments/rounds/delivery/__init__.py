"""What Discord has to do with rounds: threads, messages, members and roles."""
