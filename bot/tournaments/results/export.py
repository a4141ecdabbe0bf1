"""A tournament as files for other programs: FIDE's report (TRF16), CSV, JSON. All of it is public, without ids of
users.

Programs need no language, so keys and results are the same in all of them.
"""

import csv
import io
import json
import unicodedata
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from bot.tournaments.results.standing import (
    SCORED,
    Line,
    Section,
    fields,
    final_order,
    in_tables,
    lines,
    sections,
    stage_of,
    without_play_off,
)
from bot.tournaments.tournament import Player, Status, StoredPairing, TournamentSnapshot
from engine.tournament import trf
from engine.tournament.formats.round_robin import rounds_of
from engine.tournament.formats.swiss import usual_rounds
from engine.tournament.model import Format, Pairing

TRF, CSV, JSON = "trf", "csv", "json"
FORMATS: Final = (TRF, CSV, JSON)
KINDS: Final = {
    Format.SWISS: "Individual: Swiss-System (Dutch)",
    Format.ROUND_ROBIN: "Individual: Round robin",
}
"""The texts of line 092 of a report."""
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The characters at the beginning of a cell that a spreadsheet takes for a formula. The last four are wide letters."""
JSON_VERSION: Final = 1


class Exported(NamedTuple):
    name: str
    data: bytes


def exported(snapshot: TournamentSnapshot, names: Mapping[int, str], form: str | None) -> tuple[Exported, ...]:
    """Returns the files of a format; for None, of all. There are none if it can hold nothing of the tournament.

    ``names``: of all players.
    """
    if form is None:
        return tuple(file for one in (CSV, TRF, JSON) for file in exported(snapshot, names, one))
    stem = file_stem(snapshot.tournament.name)
    if form == TRF:
        return _trf(snapshot, names, stem)
    if form == CSV:
        return (
            Exported(f"{stem}-standings.csv", _table(_standing_rows(snapshot, names))),
            Exported(f"{stem}-pairings.csv", _table(_pairing_rows(snapshot, names))),
        )
    text = json.dumps(described(snapshot, names), ensure_ascii=False, indent=1)
    return (Exported(f"{stem}.json", text.encode()),)


def file_stem(name: str) -> str:
    """Returns a file name of letters without accents, digits and dashes."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    words = "".join(sign if sign.isalnum() and sign.isascii() else " " for sign in plain).split()
    return "-".join(words).lower()[:40] or "tournament"


# --- TRF16 ------------------------------------------------------------------------------------------------------------


def _trf(snapshot: TournamentSnapshot, names: Mapping[int, str], stem: str) -> tuple[Exported, ...]:
    """Makes a report for each section of the Swiss and round robin stages, in a zip file if there are several."""
    wanted = [one for one in sections(snapshot) if stage_of(snapshot, one.stage).format in SCORED]
    many = len(wanted) > 1
    files = [
        Exported(
            f"{stem}-{one.stage}-{one.section}.trf" if many else f"{stem}.trf", report(snapshot, one, names).encode()
        )
        for one in wanted
    ]
    if not many:
        return tuple(files)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(file.name, file.data)
    return (Exported(f"{stem}-trf.zip", packed.getvalue()),)


def report(snapshot: TournamentSnapshot, section: Section, names: Mapping[int, str]) -> str:
    """Makes the report of one section. Players who have left are absent from the next round."""
    stage = stage_of(snapshot, section.stage)
    here = [entrant for entrant in fields(snapshot, section.stage) if entrant.section == section.section]
    rows = without_play_off(snapshot, section)
    paired = len({row.round for row in rows})
    if stage.format is Format.SWISS:
        rounds = max(paired, stage.rounds or usual_rounds(len(here)))
    else:
        rounds = max(paired, rounds_of([len(here)], stage.legs))
    name = snapshot.tournament.name
    if len(sections(snapshot)) > 1:
        name = f"{name}, {section.stage}.{section.section}"
    made = trf.report_of(name, here, names, rows, rounds, _date(snapshot.tournament.started), KINDS[stage.format])
    ranks = {entrant.id: rank for rank, entrant in enumerate(sorted(here, key=lambda one: one.seed), start=1)}
    left = {player.number for player in snapshot.players if not player.is_in}
    others = [f"052 {_date(snapshot.tournament.ended)}"] if snapshot.tournament.ended else []
    others += [f"122 {snapshot.tournament.plan.clock}"] if snapshot.tournament.plan.clock else []
    absent = frozenset(ranks[number] for number in left if number in ranks)
    places = {ranks[line.player.number]: line.rank for line in lines(snapshot, section) if line.player.number in ranks}
    players = tuple(replace(player, place=places.get(player.rank, 0)) for player in made.players)
    is_over = snapshot.tournament.status is Status.OVER
    absent = frozenset() if is_over else absent
    return trf.write(replace(made, players=players, absent=absent, others=tuple(others)))


def _date(milliseconds: int | None) -> str:
    """Returns a date in UTC, such as ``2026/03/01``; empty for None."""
    return "" if milliseconds is None else f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y/%m/%d}"


# --- CSV --------------------------------------------------------------------------------------------------------------


def _table(rows: Sequence[Sequence[object]]) -> bytes:
    """Writes rows as CSV, with the byte order mark that Excel needs for UTF-8."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([[_cell(value) for value in row] for row in rows])
    return text.getvalue().encode("utf-8-sig")


def _cell(value: object) -> object:
    """Puts an apostrophe before names that a spreadsheet would take for formulas."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _standing_rows(snapshot: TournamentSnapshot, names: Mapping[int, str]) -> list[list[object]]:
    """Returns the standings of all sections that have begun, then those of the whole tournament as stage 0."""
    found: list[list[object]] = []
    keys: list[str] = []
    everything = [(one, lines(snapshot, one)) for one in sections(snapshot)]
    for _, here in everything:
        keys += [str(key) for line in here[:1] for key, _ in line.tie_breaks if str(key) not in keys]
    for section, here in everything:
        found += [_standing_row(section, line, names, keys) for line in here]
    if len(everything) > 1:
        found += [_standing_row(Section(0, 0), line, names, keys) for line in final_order(snapshot)]
    head = ["stage", "section", "rank", "last rank", "number", "name", "rating", "status", "points"]
    return [[*head, "won", "drawn", "lost", *keys], *found]


def _standing_row(section: Section, line: Line, names: Mapping[int, str], keys: Sequence[str]) -> list[object]:
    player, values = line.player, {str(key): value for key, value in line.tie_breaks}
    points = "" if line.points is None else line.points
    counts = [line.count(note) for note in ("won", "drawn", "lost")] if section.stage else ["", "", ""]
    who = [player.number, names[player.number], player.rating, player.status.value]
    return [*section, line.rank, line.last, *who, points, *counts, *(values.get(key, "") for key in keys)]


def _pairing_rows(snapshot: TournamentSnapshot, names: Mapping[int, str]) -> list[list[object]]:
    head = ["stage", "round", "section", "board", "slot", "attempt", "first", "first name", "second", "second name"]
    found: list[list[object]] = [[*head, "first points", "second points", "how", "decided by"]]
    for stored in in_tables(snapshot):
        one = stored.pairing
        second = ["", ""] if one.second is None else [one.second, names[one.second]]
        where = [one.stage, one.round, one.section, one.board, one.slot, one.attempt]
        found.append([*where, one.first, names[one.first], *second, *_result_cells(one), stored.decided_by])
    return found


def _result_cells(pairing: Pairing) -> tuple[object, object, str]:
    """Returns the points as numbers, as a spreadsheet takes 1-0 for a date, and the way in which they were won."""
    result = pairing.result
    if result is None:
        return "", "", ""
    first, second = result.points
    if result.is_bye:
        return first, "", "bye"
    return first, second, "played" if result.played else "forfeit"


# --- JSON -------------------------------------------------------------------------------------------------------------


def described(snapshot: TournamentSnapshot, names: Mapping[int, str]) -> dict[str, Any]:
    """Returns everything public about a tournament."""
    tournament, plan = snapshot.tournament, snapshot.tournament.plan
    pairings = in_tables(snapshot)
    return {
        "version": JSON_VERSION,
        "name": tournament.name,
        "status": tournament.status.value,
        "game": plan.game,
        "options": dict(plan.options),
        "terms": {"points": plan.terms.points, "best_of": plan.terms.best_of},
        "time": plan.clock,
        "rated": plan.rated,
        "stages": [_without_empty(asdict(stage)) for stage in plan.stages],
        "started": _moment(tournament.started),
        "ended": _moment(tournament.ended),
        "round": max((stored.pairing.round for stored in pairings), default=0),
        "players": [_player(player, names) for player in snapshot.players if player.seed],
        "pairings": [_pairing(stored) for stored in pairings],
        "standings": [
            {"stage": one.stage, "section": one.section, "lines": [_line(line) for line in lines(snapshot, one)]}
            for one in sections(snapshot)
        ],
        "places": [
            {"first": line.rank, "last": line.last, "player": line.player.number} for line in final_order(snapshot)
        ],
    }


def _without_empty(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (0, (), "")}


def _moment(milliseconds: int | None) -> str | None:
    """Writes a time by ISO 8601, in UTC."""
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds // 1000, UTC).isoformat()


def _player(player: Player, names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "number": player.number,
        "name": names[player.number],
        "rating": player.rating,
        "seed": player.seed,
        "section": player.section or None,
        "status": player.status.value,
        "first_round": player.first_round,
        "last_round": player.last_round,
    }


def _pairing(stored: StoredPairing) -> dict[str, Any]:
    one = stored.pairing
    return {
        "stage": one.stage,
        "round": one.round,
        "section": one.section,
        "board": one.board,
        "slot": one.slot or None,
        "attempt": one.attempt,
        "first": one.first,
        "second": one.second,
        "result": one.result.value if one.result else None,
        "decided_by": stored.decided_by or None,
        "reason": one.reason and {"key": one.reason.key, **dict(one.reason.parameters)},
    }


def _line(line: Line) -> dict[str, Any]:
    return {
        "rank": line.rank,
        "last": line.last,
        "player": line.player.number,
        "points": line.points,
        "tie_breaks": {str(key): value for key, value in line.tie_breaks},
    }
