"""Runs inside GNU Backgammon (``gnubg -t -q -p``): judges positions at 0-ply, without the cube, as for money.

A line of the input has one or more positions, separated by semicolons, each of 50 numbers: the checkers of the side to
roll on its points 1 to 24 and on its bar, then the same of the other. The answer is a line of as many numbers: what the
side to roll can expect, in points.
"""

import sys

import gnubg  # GNU Backgammon's own

CUBE = gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)
PLAIN = {"cubeful": 0, "plies": 0, "deterministic": 1, "noise": 0.0}

for line in sys.stdin:
    found = []
    for text in line.split(";"):
        numbers = [*map(int, text.split())]
        found.append(gnubg.evaluate((tuple(numbers[25:]), tuple(numbers[:25])), CUBE, PLAIN)[5])
    print("judged", *found, flush=True)
