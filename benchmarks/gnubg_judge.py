"""Runs inside GNU Backgammon (``gnubg -t -q -p``): judges positions as for money.

A line of the input has what is asked and one or more positions, separated by semicolons. A position is 50 numbers: the
checkers of the side to roll on its points 1 to 24 and on its bar, then the same of the other.

What is asked is the plies to look ahead: the answer is a line of as many numbers as positions, the expectation of the
side to roll without the cube, in points. Or it is the plies, the owner of the cube (-1 for nobody and 0 for the side to
roll), its value, the length of the match (0 for money, by the Jacoby rule) and the scores of the side to roll and of
the other: the answer is three numbers for a position, what it can expect if it rolls, if it doubles and the other
takes, and if it doubles and the other passes, in points of the present cube or, in a match, in halves of the difference
between winning and losing them. Or it is ``best`` and the dice: the answer is the turn that it plays at 0-ply, for each
move the point of its start and of its end.
"""

import sys

import gnubg  # GNU Backgammon's own

gnubg.command("set jacoby on")


def board(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns GNU Backgammon's form of a position, the side to roll last."""
    numbers = [*map(int, text.split())]
    return tuple(numbers[25:]), tuple(numbers[:25])


def how(plies: int, cubeful: int = 0) -> dict[str, float]:
    """Returns how a position is to be judged."""
    return {"cubeful": cubeful, "plies": plies, "deterministic": 1, "prune": 1, "noise": 0.0}


def cube(owner: int = -1, value: int = 1, length: int = 0, own: int = 0, other: int = 0) -> dict[str, object]:
    """Returns GNU Backgammon's form of the cube and the match."""
    info: dict[str, object] = gnubg.cubeinfo(value, owner, 0, length, (own, other), 0, 0)
    return info


# dice need a game that waits for a person's turn
for setting in ("automatic game off", "automatic roll off", "automatic move off", "player 0 human", "player 1 human"):
    gnubg.command(f"set {setting}")
gnubg.command("new session")

for line in sys.stdin:
    asked, *positions = line.split(";")
    if asked.startswith("best "):
        gnubg.command(asked.replace("best", "set dice"))
        print("judged", *gnubg.findbestmove(board(positions[0]), cube(), how(0)), flush=True)
        continue
    plies, *match = map(int, asked.split())
    context = how(plies, cubeful=bool(match))
    found = []
    for text in positions:
        if match:
            found += gnubg.cfevaluate(board(text), cube(*match), context)[1:4]
        else:
            found.append(gnubg.evaluate(board(text), cube(), context)[5])
    print("judged", *found, flush=True)
