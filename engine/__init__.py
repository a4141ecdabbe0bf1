"""The rules: pure values and functions without I/O, clock or luck of their own."""
