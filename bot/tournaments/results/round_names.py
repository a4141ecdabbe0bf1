"""The names of rounds: ``Round 3``, and in a knockout ``Semi-finals``, wherever a round is named.

A column of a bracket is a round for its players. In the tournament it may take two, if games are played again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from bot.core.translations import Language
from bot.tournaments.tournament import Plan, TournamentSnapshot
from engine.tournament.director import rounds_expected
from engine.tournament.formats.bracket import columns_of
from engine.tournament.model import KNOCKOUTS, Format, Pairing, Result

NAMED: Final = ("final", "semi", "quarter", "eighth")
"""The names of the last columns of a bracket, from the final backwards. Earlier ones are named by their size."""
FIRST: Final = "W1-"
"""The beginning of the slots of a bracket's first round, all of which have a pairing."""


def column_name(side: str, column: int, size: int, say: Language, *, double: bool) -> str:
    """Writes a heading: ``Quarter-finals``, ``Round 2`` or ``Final`` of the losers' bracket, ``Grand final``.

    ``size``: the number of places in the first round of the bracket.
    """
    if side == "F":
        return say(f"tournament.results.column.f{column}")
    if side == "T":
        return say("tournament.results.column.t1")
    columns = columns_of(size)
    left = (2 * columns - 2 if side == "L" else columns) - column
    if double and left > 1:
        return _numbered(column, say)
    if side == "L" and left == 1:
        return say("tournament.results.column.semi_one")
    if left < len(NAMED):
        return say(f"tournament.results.column.{NAMED[left]}")
    return say("tournament.results.column.of", players=2 << left)


def sizes_of(slots: Iterable[tuple[int, str]]) -> dict[int, int]:
    """Returns the number of places in the first round of each bracket, by its stage.

    ``slots``: the stages and slots of all pairings, or of those whose slot begins with FIRST.
    """
    first = {(stage, slot) for stage, slot in slots if slot.startswith(FIRST)}
    return {stage: 2 * count for stage, count in Counter(stage for stage, _ in first).items()}


def sizes(snapshot: TournamentSnapshot) -> dict[int, int]:
    """Returns the sizes of the brackets that have begun, by their stages."""
    return sizes_of((one.pairing.stage, one.pairing.slot) for one in snapshot.pairings)


def of_pairing(plan: Plan, pairing: Pairing, sizes: Mapping[int, int], say: Language) -> str:
    """Names the round of a pairing: ``Third place``, ``Winners' bracket · Final``, ``Final (replay)``, ``Round 3``."""
    size = sizes.get(pairing.stage)
    if size is None or not _in_bracket(plan, pairing):
        return _numbered(pairing.round, say)
    side, column = _column(pairing)
    double = plan.stages[pairing.stage - 1].format is Format.DOUBLE_ELIMINATION
    name = column_name(side, column, size, say, double=double)
    if double and side != "F":
        name = f"{say(f'tournament.results.side.{side.lower()}')} · {name}"
    return _again(name, [pairing], say)


def of_round(snapshot: TournamentSnapshot, number: int, say: Language) -> str:
    """Names a round: ``Final · Third place``, ``Round 3``. In a double elimination, most have only their number."""
    plan = snapshot.tournament.plan
    here = [one.pairing for one in snapshot.pairings if one.pairing.round == number]
    here = [one for one in here if one.second is not None] or here
    if not here:
        return _planned(snapshot, number, say)
    if not _in_bracket(plan, here[0]):
        return _numbered(number, say)
    double = plan.stages[here[0].stage - 1].format is Format.DOUBLE_ELIMINATION
    columns: dict[tuple[str, int], list[Pairing]] = {}
    for pairing in sorted(here, key=lambda one: (one.slot.startswith("T"), _column(one)[1])):
        columns.setdefault(_column(pairing), []).append(pairing)
    if double and any(side != "F" for side, _ in columns):
        return _numbered(number, say)
    size = sizes(snapshot)[here[0].stage]
    return " · ".join(
        _again(column_name(*column, size, say, double=double), games, say) for column, games in columns.items()
    )


def every(plan: Plan, sizes: Mapping[int, int], say: Language) -> Iterator[str]:
    """Yields all names that ``of_pairing`` gives in brackets of these sizes."""
    for stage, size in sizes.items():
        columns = columns_of(size)
        winners = [f"W{column}-1" for column in range(1, columns + 1)]
        losers = [f"L{column}-1" for column in range(1, 2 * columns - 1)]
        double = plan.stages[stage - 1].format is Format.DOUBLE_ELIMINATION
        for slot in (*winners, *losers, "F1", "F2") if double else (*winners, "T1"):
            for attempt in (1, 2):
                yield of_pairing(plan, Pairing(stage, 1, 1, 1, 2, slot=slot, attempt=attempt), sizes, say)


def last_round(snapshot: TournamentSnapshot) -> int:
    """Returns the number of the last round that is expected."""
    tournament, stages = snapshot.tournament, snapshot.tournament.plan.stages
    expected = rounds_expected(stages, _players(snapshot))
    here = [one.pairing for one in snapshot.pairings if one.pairing.round == tournament.round]
    if not here or stages[-1].format is not Format.SINGLE_ELIMINATION:
        return expected
    if here[0].stage < len(stages):  # there may be a play-off more
        return max(expected, tournament.round + _last_columns(snapshot))
    columns = columns_of(sizes(snapshot)[len(stages)])
    column = {one: columns if one.slot == "T1" else _column(one)[1] for one in here}
    first = min(column.values())
    again = any(column[one] == first and one.result is Result.DRAW and one.attempt == 1 for one in here)
    return tournament.round + columns - first + again


def _planned(snapshot: TournamentSnapshot, number: int, say: Language) -> str:
    """Names a round that is not paired yet, counted from the final backwards."""
    stage = snapshot.tournament.plan.stages[-1]
    columns, left = _last_columns(snapshot), last_round(snapshot) - number
    if stage.format is not Format.SINGLE_ELIMINATION or not snapshot.entrants or not 0 <= left < columns:
        return _numbered(number, say)
    name = column_name("W", columns - left, 1 << columns, say, double=False)
    third = stage.third_place and columns > 1 and not left
    return f"{name} · {say('tournament.results.column.t1')}" if third else name


def _players(snapshot: TournamentSnapshot) -> int:
    """Returns how many play, or will play if it began now."""
    there = sum(player.is_in for player in snapshot.players)
    return len(snapshot.entrants) or max(snapshot.tournament.plan.least, there)


def _last_columns(snapshot: TournamentSnapshot) -> int:
    """Returns the number of rounds that the last stage takes."""
    stages, players = snapshot.tournament.plan.stages, _players(snapshot)
    return rounds_expected(stages, players) - rounds_expected(stages[:-1], players)


def _numbered(number: int, say: Language) -> str:
    return say("tournament.results.column.round", round=number)


def _again(name: str, games: Sequence[Pairing], say: Language) -> str:
    """Adds that all these games are replays, if that is so."""
    if any(one.attempt == 1 for one in games):
        return name
    return f"{name} ({say('tournament.results.again')})"


def _in_bracket(plan: Plan, pairing: Pairing) -> bool:
    return bool(pairing.slot) and plan.stages[pairing.stage - 1].format in KNOCKOUTS


def _column(pairing: Pairing) -> tuple[str, int]:
    """Returns the side and the column of a pairing's slot: ``W2-1`` is in ``("W", 2)``."""
    return pairing.slot[0], int(pairing.slot[1:].partition("-")[0])
