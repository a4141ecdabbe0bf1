"""Sample files of matches (``NAME.match``) and games (``NAME.record``), which must replay for ever.

``SAMPLES=write`` in the environment writes them anew (``fakes/samples.py``).
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

import pytest

from engine import exchange
from engine.core.errors import CorruptRecord
from engine.core.record import Kind, dump, load
from engine.core.rolls import verify
from engine.core.table import Table
from engine.match.proof import verify_match
from engine.match.record import dump_match, load_match, replay_match
from engine.registry import find

MATCHES: Final = Path(__file__).parent / "samples"
RECORDS: Final = Path(__file__).parents[2] / "golden" / "records"

if os.environ.get("SAMPLES") == "write":
    from fakes import samples

    for name, match in samples.matches():
        (MATCHES / f"{name}.match").write_text(dump_match(match), encoding="utf-8")
    for name, played in samples.games():
        (RECORDS / f"{name}.record").write_text(dump(played), encoding="utf-8")

every_match = pytest.mark.parametrize("path", sorted(MATCHES.iterdir()), ids=lambda path: path.stem)
every_record = pytest.mark.parametrize("path", sorted(RECORDS.iterdir()), ids=lambda path: path.stem)


@every_match
def test_a_sample_match_replays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = load_match(text)
    assert dump_match(record) == text
    game = find(record.header.game, record.header.version)
    match, tables = replay_match(game, record)
    assert match.result is not None
    assert all(table.outcome for table in tables)
    rolls = sum(entry.kind is Kind.CHANCE for played in record.games for entry in played.entries)
    assert verify_match(game, text) == (record, rolls)
    assert bool(rolls) == all(played.header.commitment for played in record.games)


@every_record
def test_a_sample_game_replays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = load(text)
    assert dump(record) == text
    game = find(record.header.game, record.header.version)
    assert Table.replay(game, record).outcome is not None
    assert verify(game, record) == sum(entry.kind is Kind.CHANCE for entry in record.entries)


def test_each_kind_of_game_has_samples_and_every_file_is_one() -> None:
    games = {"abak", "abalone", "apb", "backgammon"}
    records = [load(path.read_text(encoding="utf-8")) for path in RECORDS.iterdir()]
    assert {record.header.game for record in records} == games
    matches = [load_match(path.read_text(encoding="utf-8")) for path in MATCHES.iterdir()]
    assert {record.header.game for record in matches} == games
    assert {path.suffix for path in (*RECORDS.iterdir(), *MATCHES.iterdir())} == {".record", ".match"}


def test_the_long_match_shows_doubles_a_crawford_game_and_a_gammon() -> None:
    record = load_match((MATCHES / "backgammon-7-points.match").read_text(encoding="utf-8"))
    match, _ = replay_match(find("backgammon"), record)
    bodies = {entry.body for played in record.games for entry in played.entries}
    assert bodies >= {"double", "take", "pass"}
    assert [result.crawford for result in match.results].count(True) == 1
    assert "end.gammon" in {result.reason for result in match.results}
    assert max(match.score) >= 7


def test_the_series_with_one_bank_hands_it_on_to_the_players_new_seats() -> None:
    record = load_match((MATCHES / "abalone-best-of-3.match").read_text(encoding="utf-8"))
    _, tables = replay_match(find("abalone"), record)
    assert len(record.games) == 3
    for before, after in zip(tables, record.games[1:], strict=False):
        assert before.final_banks is not None
        assert after.header.banks == before.final_banks[::-1]


def test_an_altered_roll_of_a_sample_is_found() -> None:
    text = (MATCHES / "abak-5-points.match").read_text(encoding="utf-8")
    record = load_match(text)
    played = record.games[1]
    number = next(number for number, entry in enumerate(played.entries) if entry.kind is Kind.CHANCE)
    line = str(played.entries[number])
    at, kind, seat, roll, *proof = line.split(" ")
    other = "21" if roll != "21" else "31"
    altered = load_match(text.replace(line, " ".join([at, kind, seat, other, *proof])))
    with pytest.raises(CorruptRecord, match=f"entry {number}"):
        verify(find("abak"), altered.games[1])
    with pytest.raises(CorruptRecord, match=f"line {text[: text.index(line)].count(chr(10)) + 1}, entry {number}"):
        verify_match(find("abak"), dump_match(altered))


def test_an_altered_end_of_a_game_is_found_with_its_line() -> None:
    """No roll proves what comes after the last one; the next game of the match does not follow from it."""
    lines = (MATCHES / "backgammon-7-points.match").read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines) if line.endswith(" pass"))
    lines[number] = lines[number].replace(" pass", " take")
    with pytest.raises(CorruptRecord, match=rf"^line {number + 1}: game 2 .* altered is probably in lines \d+ to \d+$"):
        verify_match(find("backgammon"), "\n".join([*lines, ""]))


def test_an_altered_score_of_a_game_is_found_between_two_lines() -> None:
    text = (MATCHES / "backgammon-7-points.match").read_text(encoding="utf-8")
    # without commitments the rolls prove nothing, so only the score can tell
    plain = [line for line in text.splitlines() if not line.startswith("commitment: ")]
    second = plain.index("--- 2")
    changed = next(n for n in range(second, len(plain)) if re.fullmatch(r"option score\d: [1-9]", plain[n]))
    plain[changed] = f"{plain[changed][:-1]}0"
    with pytest.raises(CorruptRecord) as raised:
        verify_match(find("backgammon"), "\n".join([*plain, ""]))
    found = re.search(r"lines (\d+) to (\d+)$", str(raised.value))
    assert found is not None
    assert int(found[1]) <= changed + 1 <= int(found[2])


@every_match
@pytest.mark.parametrize("form", ["record", "json"])
def test_a_sample_match_comes_back_from_our_formats(path: Path, form: str) -> None:
    record = load_match(path.read_text(encoding="utf-8"))
    assert exchange.read(exchange.write(record, form)) == record
