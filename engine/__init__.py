"""The rules: pure values and functions, no I/O, no clock, no luck of their own."""
