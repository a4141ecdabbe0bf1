"""A profile and a leaderboard with everything that they can show."""

from dataclasses import replace
from typing import Final

from render.people.views import GameRow, LeaderboardView, Pairing, ProfileView, Rank, Result, Tally

CURVE: Final = tuple(1500 + 4 * number + 35 * (number % 7) for number in range(60))
ROWS: Final = (
    GameRow("Abak Evolution Backgammon", "correspondence", "1642", "+31 in 30 days", CURVE, Tally(48, 0, 32)),
    GameRow("Backgammon", "live", "1511?", "", (1538, 1511), Tally(1, 0, 1)),
    GameRow("Abalone", "correspondence", "1720", "-12 in 30 days", CURVE * 9, Tally(220, 31, 149)),
)
FORM: Final = tuple(Result("LDW"[1 + sign], sign) for sign in (1, 1, -1, 0, 1, 1, 1, -1, -1, 1, 0, 1, 1))
PROFILE: Final = ProfileView(
    "Ana María",
    "Playing since March 2026",
    ROWS,
    "No rated results yet",
    ("won", "drawn", "lost"),
    "Latest results",
    FORM,
    Pairing("Bruno against Ana María", Tally(5, 2, 3)),
    (("Longest winning streak", "9"), ("Current streak", "3 won")),
)
EMPTY: Final = replace(PROFILE, rows=(), form=(), pairing=None, facts=())
NAMES: Final = ("Ana María", "Bruno", "A very long player name that has to be cut somewhere", "Dora", "Eva")
RANKS: Final = tuple(
    Rank(str(number), name, str(1937 - 37 * number), f"{200 - 7 * number} played", name == "Bruno")
    for number, name in enumerate(NAMES, 1)
)
LEADERBOARD: Final = LeaderboardView("Backgammon · correspondence", "This server", RANKS, "Nobody yet")
