"""Discord's REST API: a router, and the routes by subject, each a function of one call."""
