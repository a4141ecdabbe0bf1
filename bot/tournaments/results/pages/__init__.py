"""The pages of results: each is a picture and the same in words."""
