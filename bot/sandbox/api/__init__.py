"""The REST routes, by subject: each a function of one call, and a table of them."""
