"""Runs inside GNU Backgammon (``gnubg -t -q -p``): judges positions as for money.

A line of the input has what is asked and one or more positions, separated by semicolons. A position is 50 numbers: the
checkers of the side to roll on its points 1 to 24 and on its bar, then the same of the other.

What is asked is the plies to look ahead: the answer is a line of as many numbers as positions, the expectation of the
side to roll without the cube, in points. Or it is the plies and the owner of the cube, -1 for nobody and 0 for the side
to roll: the answer is three numbers for a position, what it can expect if it rolls, if it doubles and the other takes,
and if it doubles and the other passes, in points of the present cube, by the Jacoby rule.
"""

import sys

import gnubg  # GNU Backgammon's own

gnubg.command("set jacoby on")
CUBES = {owner: gnubg.cubeinfo(1 if owner < 0 else 2, owner, 0, 0, (0, 0), 0, 0) for owner in (-1, 0)}

for line in sys.stdin:
    asked, *positions = line.split(";")
    plies, *owners = map(int, asked.split())
    how = {"cubeful": len(owners), "plies": plies, "deterministic": 1, "prune": 1, "noise": 0.0}
    found = []
    for text in positions:
        numbers = [*map(int, text.split())]
        board = (tuple(numbers[25:]), tuple(numbers[:25]))
        if owners:
            found += gnubg.cfevaluate(board, CUBES[owners[0]], how)[1:4]
        else:
            found.append(gnubg.evaluate(board, CUBES[-1], how)[5])
    print("judged", *found, flush=True)
