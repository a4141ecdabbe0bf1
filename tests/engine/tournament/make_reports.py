"""Makes ``reports.txt.gz``: 100 reports of Swiss tournaments, each with the next round by the library itself.

``PYTHONPATH=tests python tests/engine/tournament/make_reports.py`` writes the file anew, always the same. What the
library is asked comes from its own reader of reports, not by way of this project's.
"""

import gzip
import sys
from pathlib import Path
from random import Random
from typing import Any

from caissify_pairings.engines.dutch import DutchEngine
from caissify_pairings.trf import TRFParser
from fakes.swiss import Luck, Tournament

from engine.tournament import trf

REPORTS = Path(__file__).with_name("reports.txt.gz")
SIZES = (*range(8, 25), *range(8, 19), *range(9, 23, 2), 8, 9, 10, 11, 12)
"""Most fields are small, as the time grows with the third power."""
LARGE = {20: 32, 45: 40, 70: 48, 95: 64}
CALM = Luck(late=0, leaves=0, bye=0, forfeit=0, nobody_comes=0)
WILD = Luck(late=0.25, leaves=0.3, bye=0.1, forfeit=0.2, nobody_comes=0.03)
HALF, NEXT = "=== report", "--- next round"


def tournament(number: int) -> Tournament | None:
    """Plays the tournament of a number so far; None if a round was not possible."""
    chance = Random(number)
    size = LARGE.get(number) or chance.choice(SIZES)
    most = min(9, size - 2) if size < 32 else 5
    played = chance.randint(1, most)
    rounds = min(played + chance.choice((1, 1, 2, 3)), size - 1)
    luck = (CALM, Luck(), Luck(), WILD)[number % 4]
    made = Tournament(chance, size, max(rounds, played + 1), luck)
    return made if made.play(played) else None


def report(made: Tournament, number: int) -> str:
    names = {entrant.id: f"Player, {entrant.id}" for entrant in made.entrants}
    text = trf.write(
        trf.report_of(f"Report {number}", made.entrants, names, made.pairings, made.rounds, start="2026/10/01")
    )
    away = [entrant.id for entrant in made.away(made.played + 1)]
    return text.replace("\n001", f"\nXXZ {' '.join(map(str, away))}\n001", 1) if away else text


def asked_directly(text: str) -> list[tuple[int, int]]:
    """Returns the pairs (white, black; 0: the bye) that the library gives to its own reading of a report."""
    parsed = TRFParser(text).parse()
    players = {player["starting_number"]: player["results"] for player in parsed["players"]}
    absent = {int(word) for line in text.splitlines() if line.startswith("XXZ") for word in line.split()[1:]}
    took_part = {
        (rank, number)
        for rank, results in players.items()
        for number, cell in results.items()
        if cell["opponent"] or cell["result"] == "U"
    }
    played = max(number for _, number in took_part)
    absent |= {rank for rank, results in players.items() if played + 1 in results}
    worth = {"1": 1.0, "+": 1.0, "U": 1.0, "F": 1.0, "=": 0.5, "H": 0.5}
    after = {
        (rank, number): sum(worth.get(results[i]["result"], 0.0) for i in range(1, number + 1) if i in results)
        for rank, results in players.items()
        for number in range(played + 1)
    }
    known = [rank for rank in sorted(players) if rank not in absent or any(who == rank for who, _ in took_part)]
    asked: list[dict[str, Any]] = []
    met = set()
    for rank in known:
        if rank in absent:
            continue
        colors, floats, byes, forfeits = [], [], 0, 0
        for number in range(1, played + 1):
            cell = players[rank].get(number) or {"opponent": None, "color": None, "result": "Z"}
            opponent, result = cell["opponent"], cell["result"]
            if opponent and result in {"1", "0", "="}:
                met.add((min(rank, opponent), max(rank, opponent)))
                colors.append({"w": "white", "b": "black"}[cell["color"]])
                mine, theirs = after[rank, number - 1], after[opponent, number - 1]
                floats.append("down" if mine > theirs else "up" if mine < theirs else "none")
                continue
            floats.append("down" if worth.get(result) else "none")
            if worth.get(result) == 1.0:
                forfeits += bool(opponent)
                byes += not opponent
        asked.append(
            {
                "id": rank,
                "name": str(rank),
                "score": after[rank, played],
                "rating": 0,
                "starting_number": rank,
                "pairing_number": known.index(rank) + 1,
                "color_hist": colors,
                "float_history": floats,
                "bye_count": byes,
                "forfeit_win_count": forfeits,
            }
        )
    answer = DutchEngine(
        players=asked,
        previous_pairings=met,
        round_number=played + 1,
        total_rounds=parsed["tournament"]["total_rounds"],
        initial_color="white",
    ).generate_pairings()
    return [(pair["white_id"], pair["black_id"] or 0) for pair in answer]


def main() -> None:
    parts: list[str] = []
    number = 0
    while len(parts) < 100:
        number += 1
        made = tournament(number)
        if made is None or len(made.entrants) - len(list(made.away(made.played + 1))) < 2 or not made.play(0):
            continue
        text = report(made, number)
        if not made.play(1):
            continue
        pairs = asked_directly(text)
        parts.append(f"{HALF} {len(parts) + 1}\n{text}{NEXT}\n" + "".join(f"{a} {b}\n" for a, b in sorted(pairs)))
    REPORTS.write_bytes(gzip.compress("".join(parts).encode(), mtime=0))
    sys.stdout.write(f"{len(parts)} reports of {number} tournaments, {REPORTS.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
