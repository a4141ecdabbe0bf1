"""The rolls of a match, and the promises that lead from each of its games to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fakes.luck import ChainedLuck
from fakes.verifiable import engine, played

from engine.core.errors import CorruptRecord
from engine.core.record import Kind, sealed
from engine.match.match import Match, MatchHeader, Terms
from engine.match.proof import verify_match
from engine.match.record import MatchRecord, dump_match
from engine.registry import find

if TYPE_CHECKING:
    from pathlib import Path

GAME = find("backgammon")


async def match_of(points: int, seed: int, length: int = 1024, *, linked: bool = True) -> MatchRecord:
    """Returns a match in which the secrets go on from game to game."""
    luck = ChainedLuck(seed, length)
    header = MatchHeader("m", GAME.key, GAME.version, 1_800_000_000_000, Terms(points), (("cube", "off"),))
    match, records, pending = Match(header), [], luck.secret()
    while match.result is None:
        given: dict[str, Any] = match.next_options
        table, pending = await played(GAME, luck, len(records) + 1, pending, given, "m")
        assert table.outcome is not None
        records.append(table.record)
        match = match.add(table)
        if not linked:
            pending = luck.secret()
    return MatchRecord(header, tuple(records))


def rolls(record: MatchRecord) -> int:
    return sum(entry.kind is Kind.CHANCE for game in record.games for entry in game.entries)


@pytest.mark.parametrize("length", [1024, 70])
async def test_all_rolls_of_a_match_hang_on_its_first_promise(length: int) -> None:
    record = await match_of(5, 2, length)
    assert len(record.games) > 1
    text = dump_match(record)
    assert verify_match(GAME, text) == (record, rolls(record))
    assert verify_match(GAME, sealed(text)) == (record, rolls(record))


async def test_a_game_that_was_not_promised_by_the_one_before_is_found() -> None:
    text = dump_match(await match_of(5, 2, linked=False))
    lines = text.splitlines()
    second = [number for number, line in enumerate(lines, 1) if line.startswith("commitment: ")][1]
    with pytest.raises(CorruptRecord, match=f"line {second}: the commitment is not the one that the game before"):
        verify_match(GAME, text)


async def test_what_is_altered_in_a_later_game_is_found_with_its_line_in_the_file(tmp_path: Path) -> None:
    record = await match_of(5, 2)
    text = dump_match(record)
    lines = text.splitlines()
    number = [n for n, line in enumerate(lines) if " chance * " in line][rolls(record) - 2]
    at, kind, seat, outcome, secret, following = lines[number].split(" ")
    for body in (
        f"7{outcome[1]} {secret} {following}",
        f"{outcome} {secret[:-1]} {following}",
        f"{outcome} {secret} a",
    ):
        altered = "\n".join([*lines[:number], f"{at} {kind} {seat} {body}", *lines[number + 1 :], ""])
        with pytest.raises(CorruptRecord, match=f"line {number + 1}[,:]"):
            verify_match(GAME, altered)
    path = tmp_path / "a.match"
    path.write_text(text)
    said = engine("verify", str(path))
    assert said.returncode == 0
    assert said.stdout.startswith(f"{len(record.games)} games, ")
    path.write_text("\n".join([*lines[:number], "0 jump 1", *lines[number + 1 :], ""]))
    said = engine("verify", str(path))
    assert (said.returncode, said.stderr.split(":")[0]) == (2, f"line {number + 1}")
