"""What is counted and timed for monitoring. A metric costs a microsecond or two where it is counted."""
