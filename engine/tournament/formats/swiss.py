"""A Swiss stage: everybody plays in every round, against a new opponent with about the same points."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engine.tournament.formats.pairer import COLORS, Color, DutchPairer, History, Pairer, histories
from engine.tournament.model import Entrant, Pairing, Reason, Result, Stage


def usual_rounds(players: int) -> int:
    """Computes the number of rounds that finds a winner: the base 2 logarithm of the field, rounded up, at least 1."""
    return max(1, (players - 1).bit_length())


def next_round(
    stage_number: int,
    stage: Stage,
    entrants: Sequence[Entrant],
    pairings: Sequence[Pairing],
    number: int,
    section: int,
    pairer: Pairer | None = None,
) -> tuple[Pairing, ...]:
    """Pairs one section of a Swiss for the round ``number``, which counts through all stages.

    Args:
        stage_number: of the stage, from 1.
        stage: its settings.
        entrants: those of the section, also those who have left it.
        pairings: those of the section so far, all with results. Other stages' are passed over.
        number: of the round, from 1, through all stages.
        section: of the new pairings.
        pairer: FIDE's Dutch system if none is given.

    Entrants who have withdrawn or come later have no pairing. Requested byes come after the pairs.

    Raises:
        NoPairing: the rules allow no pairing.
        ValueError: a pairing has no result.
    """
    played = [pairing for pairing in pairings if pairing.stage == stage_number and pairing.round < number]
    first_round = min((pairing.round for pairing in played), default=number)
    present = [entrant for entrant in entrants if _is_in(entrant, stage_number, number)]
    on_leave = [entrant for entrant in present if stage_number == 1 and number in entrant.byes]
    free = [entrant for entrant in present if entrant not in on_leave]
    numbered = _pairing_numbers(entrants, free, played)
    rounds = stage.rounds or usual_rounds(len(entrants))
    chosen = pairer or DutchPairer(initial_color(entrants, played) or "white")
    nobody_plays = on_leave and not numbered
    pairs = [] if nobody_plays else chosen.pair(numbered, played, number - first_round + 1, rounds)
    known = histories([entrant.id for entrant in entrants], played)
    seeds = {entrant.id: entrant.seed for entrant in entrants}
    made = [
        *_pairs(pairs, known, seeds, is_first=not played),
        *((entrant.id, None, Reason("half_bye"), Result.HALF_BYE) for entrant in on_leave),
    ]
    return tuple(
        Pairing(stage_number, number, board, first, second, section, reason=reason, result=result)
        for board, (first, second, reason, result) in enumerate(made, start=1)
    )


def initial_color(entrants: Sequence[Entrant], played: Sequence[Pairing]) -> Color | None:
    """Returns the colour of the best entrant in the first round with games, played or due; None before it."""
    with_colors = [pairing for pairing in played if pairing.second is not None]
    if not with_colors:
        return None
    first = min(pairing.round for pairing in with_colors)
    took_part = _took_part([pairing for pairing in played if pairing.round <= first])
    ranked = sorted((entrant for entrant in entrants if entrant.id in took_part), key=lambda entrant: entrant.seed)
    seats = {
        player: seat for pairing in with_colors if pairing.round == first for seat, player in enumerate(pairing.players)
    }
    for position, entrant in enumerate(ranked):
        if entrant.id in seats:
            return COLORS[(seats[entrant.id] + position) % 2]
    return None


def _is_in(entrant: Entrant, stage_number: int, number: int) -> bool:
    has_come = stage_number > 1 or entrant.first_round <= number
    return has_come and (entrant.last_round is None or number <= entrant.last_round)


def _took_part(played: Sequence[Pairing]) -> set[int]:
    """Returns the entrants who have been paired, or had the pairing bye."""
    return {
        player
        for pairing in played
        if pairing.second is not None or pairing.result is Result.PAIRING_BYE
        for player in pairing.players
    }


def _pairing_numbers(entrants: Sequence[Entrant], free: Sequence[Entrant], played: Sequence[Pairing]) -> list[Entrant]:
    """Renumbers the free entrants: seeds from 1 among all who have ever taken part.

    Half of the colours depend on the seeds.
    """
    counted = _took_part(played) | {entrant.id for entrant in free}
    ranked = sorted((entrant for entrant in entrants if entrant.id in counted), key=lambda entrant: entrant.seed)
    numbers = {entrant.id: number for number, entrant in enumerate(ranked, start=1)}
    return [replace(entrant, seed=numbers[entrant.id]) for entrant in free]


def _pairs(
    pairs: Sequence[tuple[int, int | None]], known: Mapping[int, History], seeds: Mapping[int, int], *, is_first: bool
) -> Iterator[tuple[int, int | None, Reason, Result | None]]:
    """Yields the pairs with their reasons: by the better one's points, the other's points, the better one's seed."""

    def place(pair: tuple[int, int | None]) -> tuple[bool, float, float, int]:
        ordered = sorted((player for player in pair if player is not None), key=lambda p: (-known[p].points, seeds[p]))
        return pair[1] is None, -known[ordered[0]].points, -known[ordered[-1]].points, seeds[ordered[0]]

    for first, second in sorted(pairs, key=place):
        points = known[first].points
        if second is None:
            yield first, None, Reason("bye", (("points", points),)), Result.PAIRING_BYE
        elif is_first:
            yield first, second, Reason("first_round"), None
        elif known[second].points == points:
            yield first, second, Reason("score_group", (("points", points),)), None
        else:
            yield first, second, Reason("floated", (("first", points), ("second", known[second].points))), None
