"""The database: what is kept, and nothing about Discord or the rules' meaning."""
