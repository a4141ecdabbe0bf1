"""How long things are kept, and what deletes them."""
