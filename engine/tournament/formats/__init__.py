"""The formats: who meets whom next in each of them."""
