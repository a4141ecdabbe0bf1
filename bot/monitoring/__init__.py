"""What the bot tells a monitoring system about itself. What is counted on the way is in ``bot/core/metrics``."""
