"""The standings of all formats: the sections of a stage, and their players in order.

They are computed from a ``TournamentSnapshot``, one section at a time.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from bot.tournaments.tournament import Player, PlayerStatus, Status, StoredPairing, TournamentSnapshot
from engine.tournament.director import planned_rounds
from engine.tournament.field import field
from engine.tournament.formats import arena, elimination
from engine.tournament.formats.round_robin import uncounted, unfolded
from engine.tournament.model import IN_ROUNDS, Entrant, Format, Pairing, Stage, TieBreak
from engine.tournament.ranking import Placing, placings, ranking
from engine.tournament.standings import Explanation, Standing, explain, standings
from engine.tournament.tie_breaks import NOTES

RUNNING: Final = "running"
ABSENT: Final = "absent"
UNCOUNTED: Final = "uncounted"
"""A finished game with a player whose results do not count."""
SCORED: Final = frozenset({Format.SWISS, Format.ROUND_ROBIN})
"""The formats with standings by points and tie-breaks."""


class Turn(NamedTuple):
    """A pairing from the view of one player."""

    round: int
    opponent: int | None
    note: str
    """The same as ``tie_breaks.Term.note``: ``won``, ``forfeit_lost``, ``half_bye``, ``absent`` …; or ``running``,
    ``uncounted``.
    """
    points: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """A player in the standings of a section."""

    rank: int
    last: int
    """The last of the shared places; the same as ``rank`` for a place alone."""
    player: Player
    points: float | None
    """The points; None in a format without points."""
    tie_breaks: tuple[tuple[TieBreak, float], ...] = ()
    turns: tuple[Turn, ...] = ()
    """The turns in this stage, the oldest first."""
    moved: int = 0
    """The number of ranks gained since the last round."""
    streak: bool = False
    """In an arena, whether the next game counts double."""
    equals: tuple[int, ...] = ()
    """The other players whom no tie-break separates from this one."""

    @property
    def withdrawn(self) -> bool:
        return not self.player.is_in

    def count(self, note: str) -> int:
        return sum(turn.note == note for turn in self.turns)


class Section(NamedTuple):
    stage: int
    section: int


def stage_of(snapshot: TournamentSnapshot, number: int) -> Stage:
    return snapshot.tournament.plan.stages[number - 1]


def current_stage(snapshot: TournamentSnapshot) -> int:
    """Returns the number of the present stage, or of the last one."""
    return max((stored.pairing.stage for stored in snapshot.pairings), default=1)


def fields(snapshot: TournamentSnapshot, stage: int) -> tuple[Entrant, ...]:
    """Returns the entrants of a stage by seed, with their sections."""
    return field(snapshot.tournament.plan.stages, stage, snapshot.entrants, snapshot.engine_pairings)


def sections(snapshot: TournamentSnapshot) -> tuple[Section, ...]:
    found = {Section(one.pairing.stage, one.pairing.section) for one in snapshot.pairings}
    if snapshot.entrants and not any(one.stage == 1 for one in found):
        found |= {Section(1, entrant.section or 1) for entrant in fields(snapshot, 1)}
    return tuple(sorted(found))


def has_sections(snapshot: TournamentSnapshot, stage: int) -> bool:
    """Returns whether a stage has more than one section. It stops at the second one, as it is called often."""
    there = (one.pairing.section for one in snapshot.pairings if one.pairing.stage == stage)
    first = next(there, None)
    if first is None:
        return stage == 1 and len({player.section for player in snapshot.players if player.seed}) > 1
    return any(section != first for section in there)


def section_of(snapshot: TournamentSnapshot, stage: int, number: int) -> int | None:
    """Returns the section of an entrant in the stage; None if they do not play it."""
    for stored in snapshot.pairings:
        if stored.pairing.stage == stage and number in stored.pairing.players:
            return stored.pairing.section
    if stage > 1:
        return None
    return next((player.section or 1 for player in snapshot.players if player.number == number and player.seed), None)


def left_out(snapshot: TournamentSnapshot) -> frozenset[int]:
    """Returns the players whose results do not count, as they left a round robin before half of their games."""
    stages, rows = snapshot.tournament.plan.stages, snapshot.engine_pairings
    found = (uncounted(number, stage, snapshot.entrants, rows) for number, stage in enumerate(stages, start=1))
    return frozenset().union(*found)


def uncounted_opponents(snapshot: TournamentSnapshot, number: int) -> tuple[int, ...]:
    """Returns the opponents of a player's finished games, if these do not count; else ()."""
    if number not in left_out(snapshot):
        return ()
    rows = [one for one in snapshot.engine_pairings if number in one.players and one.result is not None]
    return tuple(sorted({player for row in rows for player in row.players} - {number}))


def _of_section(snapshot: TournamentSnapshot, section: Section) -> tuple[tuple[Entrant, ...], tuple[Pairing, ...]]:
    here = tuple(entrant for entrant in fields(snapshot, section.stage) if entrant.section == section.section)
    rows = tuple(
        one.pairing
        for one in snapshot.pairings
        if one.pairing.stage == section.stage and one.pairing.section == section.section
    )
    return here, rows


def without_play_off(snapshot: TournamentSnapshot, section: Section) -> tuple[Pairing, ...]:
    """Returns the pairings of a section that count for its table, with the rounds of the table."""
    stage, (_, rows) = stage_of(snapshot, section.stage), _of_section(snapshot, section)
    return tuple(row for row in unfolded(stage, rows) if not (stage.format in SCORED and row.slot))


def in_tables(snapshot: TournamentSnapshot) -> tuple[StoredPairing, ...]:
    """Returns all pairings by round, those of tables whose games began at once with the rounds of the tables.

    The later rounds follow after those.
    """
    found: list[StoredPairing] = []
    last = former = 0
    for number, stage in enumerate(snapshot.tournament.plan.stages, start=1):
        stored = [one for one in snapshot.pairings if one.pairing.stage == number]
        rows = unfolded(stage, [one.pairing for one in stored])
        moved = [replace(row, round=row.round + last - former) for row in rows]
        found += [replace(one, pairing=row) for one, row in zip(stored, moved, strict=True)]
        last = max((row.round for row in moved), default=last)
        former = max((one.pairing.round for one in stored), default=former)
    return tuple(sorted(found, key=lambda one: (one.pairing.round, one.id)))


def lines(snapshot: TournamentSnapshot, section: Section) -> tuple[Line, ...]:
    """Returns the players of a section, the best first."""
    stage = stage_of(snapshot, section.stage)
    here, rows = _of_section(snapshot, section)
    players = {player.number: player for player in snapshot.players}
    gone = uncounted(section.stage, stage, here, rows)
    turns = _turns(stage, [entrant.id for entrant in here], without_play_off(snapshot, section), gone)
    if stage.format in SCORED:
        return _scored(snapshot, section, here, rows, turns)
    if stage.format is Format.LADDER:
        return tuple(
            Line(one.first, one.last, players[one.entrant], None, (), turns.get(one.entrant, ()))
            for one in _on_ladder(snapshot)
        )
    if stage.format is Format.ARENA:
        found = arena.scores(here, rows)
        scores = {score.entrant: score for score in found}
        tiers = arena.tiers(found)
        placed = [[one for one in tier if players[one].status is not PlayerStatus.EXPELLED] for tier in tiers]
        equals = {one: tuple(other for other in tier if other != one) for tier in placed for one in tier}
        return tuple(
            Line(
                one.first,
                one.last,
                players[one.entrant],
                scores[one.entrant].points,
                (),
                turns[one.entrant],
                streak=scores[one.entrant].streak and snapshot.tournament.status is Status.RUNNING,
                equals=equals.get(one.entrant, ()),
            )
            for one in placings(tiers, here)
        )
    tiers = elimination.tiers(section.stage, stage, [entrant.id for entrant in here], rows)
    return tuple(
        Line(one.first, one.last, players[one.entrant], None, (), turns[one.entrant]) for one in placings(tiers, here)
    )


def _on_ladder(snapshot: TournamentSnapshot) -> tuple[Placing, ...]:
    on_it = sorted((one.ladder_place, one.number) for one in snapshot.players if one.ladder_place)
    return placings([(number,) for _, number in on_it], snapshot.entrants)


def _scored(
    snapshot: TournamentSnapshot,
    section: Section,
    here: tuple[Entrant, ...],
    rows: tuple[Pairing, ...],
    turns: dict[int, tuple[Turn, ...]],
) -> tuple[Line, ...]:
    stages = snapshot.tournament.plan.stages
    players = {player.number: player for player in snapshot.players}
    now = standings(stages, section.stage, here, rows)
    last = max((row.round for row in rows if row.result is not None and row.result.played), default=0)
    before = [row for row in rows if row.round < last]
    former = _ranks(standings(stages, section.stage, here, before)) if before else {}
    return tuple(
        Line(
            one.rank,
            one.last,
            players[one.entrant],
            one.points,
            one.tie_breaks,
            turns[one.entrant],
            former.get(one.entrant, one.rank) - one.rank,
            equals=one.equals,
        )
        for one in now
    )


def _ranks(found: Iterable[Standing]) -> dict[int, int]:
    return {one.entrant: one.rank for one in found}


def _turns(
    stage: Stage, members: Sequence[int], rows: Sequence[Pairing], gone: frozenset[int]
) -> dict[int, tuple[Turn, ...]]:
    """Returns the turns of each player. In a Swiss, a round without a pairing is an absence.

    ``gone``: the players whose results do not count.
    """
    found: dict[int, list[Turn]] = {member: [] for member in members}
    for row in sorted(rows, key=lambda row: (row.round, row.board)):
        for seat, player in enumerate(row.players):
            opponent = None if row.second is None else row.players[1 - seat]
            if row.result is None:
                found.setdefault(player, []).append(Turn(row.round, opponent, RUNNING))
            elif opponent is not None and gone.intersection(row.players):
                found.setdefault(player, []).append(Turn(row.round, opponent, UNCOUNTED, row.result.points[seat]))
            else:
                note = NOTES[row.result][seat]
                found.setdefault(player, []).append(Turn(row.round, opponent, note, row.result.points[seat]))
    if stage.format is Format.SWISS:
        rounds = sorted({row.round for row in rows})
        for turns in found.values():
            there = {turn.round for turn in turns}
            turns += [Turn(number, None, ABSENT) for number in rounds if number not in there]
            turns.sort(key=lambda turn: turn.round)
    return {player: tuple(turns) for player, turns in found.items()}


def explained(snapshot: TournamentSnapshot, section: Section, number: int) -> tuple[Explanation, ...]:
    """Returns the points and tie-breaks of an entrant, term by term. Raises KeyError outside the section."""
    here, rows = _of_section(snapshot, section)
    return explain(snapshot.tournament.plan.stages, section.stage, here, rows, number)


# --- the whole tournament ---------------------------------------------------------------------------------------------


def final_places(snapshot: TournamentSnapshot) -> tuple[Placing, ...]:
    """Returns the places in the whole tournament by its results so far."""
    if snapshot.tournament.plan.format is Format.LADDER:
        return _on_ladder(snapshot)
    return ranking(snapshot.tournament.plan.stages, snapshot.entrants, snapshot.engine_pairings)


def awarded(snapshot: TournamentSnapshot) -> tuple[Placing, ...]:
    """Returns the places at the end of the tournament; none if no game was played."""
    played = any(stored.result is not None and stored.result.played for stored in snapshot.pairings)
    return final_places(snapshot) if played else ()


def final_order(snapshot: TournamentSnapshot) -> tuple[Line, ...]:
    """Returns all players by their places in the whole tournament."""
    players = {player.number: player for player in snapshot.players}
    points = _final_points(snapshot)
    return tuple(
        Line(one.first, one.last, players[one.entrant], points.get(one.entrant)) for one in final_places(snapshot)
    )


def _final_points(snapshot: TournamentSnapshot) -> dict[int, float]:
    """Returns the points that decided a tournament of a single stage with points."""
    stages = snapshot.tournament.plan.stages
    if len(stages) > 1 or stages[0].format not in SCORED | {Format.ARENA}:
        return {}
    return {
        line.player.number: line.points
        for section in sections(snapshot)
        for line in lines(snapshot, section)
        if line.points is not None
    }


# --- how far it has come ----------------------------------------------------------------------------------------------


class Progress(NamedTuple):
    """The numbers of finished games and of all games of a round, without byes."""

    done: int
    total: int


def progress(snapshot: TournamentSnapshot, round_number: int | None = None) -> Progress:
    """Returns the progress of a round (None: the present one), or of all games in a format without rounds."""
    number = snapshot.tournament.round if round_number is None else round_number
    games = [one for one in snapshot.pairings if one.pairing.round == number and one.pairing.second is not None]
    return Progress(sum(one.result is not None for one in games), len(games))


def early(snapshot: TournamentSnapshot) -> Progress | None:
    """Returns the rounds of a Swiss as the last stage, if it ended before the planned number of rounds."""
    number, stage = len(snapshot.tournament.plan.stages), snapshot.tournament.plan.stages[-1]
    rows = [one.pairing for one in snapshot.pairings if one.pairing.stage == number and not one.pairing.slot]
    if stage.format is not Format.SWISS or not rows:
        return None
    rounds = {row.round for row in rows}
    done, total = len(rounds), planned_rounds(stage, fields(snapshot, number), min(rounds))
    return Progress(done, total) if done < total else None


def in_rounds(snapshot: TournamentSnapshot) -> bool:
    return stage_of(snapshot, current_stage(snapshot)).format in IN_ROUNDS
