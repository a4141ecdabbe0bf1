"""Runs inside GNU Backgammon (``gnubg -t -q -p``): judges positions without the cube, as for money.

A line of the input has the plies to look ahead and one or more positions, separated by semicolons. A position is 50
numbers: the checkers of the side to roll on its points 1 to 24 and on its bar, then the same of the other. The answer
is a line of as many numbers as positions: the expectation of the side to roll, in points.
"""

import sys

import gnubg  # GNU Backgammon's own

CUBE = gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)

for line in sys.stdin:
    plies, *positions = line.split(";")
    how = {"cubeful": 0, "plies": int(plies), "deterministic": 1, "prune": 1, "noise": 0.0}
    found = []
    for text in positions:
        numbers = [*map(int, text.split())]
        found.append(gnubg.evaluate((tuple(numbers[25:]), tuple(numbers[:25])), CUBE, how)[5])
    print("judged", *found, flush=True)
