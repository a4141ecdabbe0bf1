"""The page in the browser, on which a person acts as any of the users; its files are in `static`."""
