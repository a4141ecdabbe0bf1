"""Every roll of whole games is promised before and can be repeated; whatever is altered is found, with its line."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from fakes.luck import ChainedLuck, SeededLuck
from fakes.verifiable import Alteration, alterations, engine, played
from harness.thinning import in_number

from engine.core.chance import RENEWED, commitment
from engine.core.errors import CorruptRecord
from engine.core.record import Kind, Record, check_seal, dump, entry_lines, load, sealed
from engine.core.rolls import BrokenEntry, Verification, verify
from engine.core.table import Table
from engine.registry import find

if TYPE_CHECKING:
    from pathlib import Path

EXACT = ("die", "secret", "promise")
KINDS = {"die", "secret", "promise", "play", "cube action", "time"}


@in_number("games", 6, 60)
async def test_one_alteration_of_a_game_is_found_with_its_line(games: int) -> None:
    """By the seal always. By the rolls alone, other lines may happen to draw the same dice: once in twenty times."""
    found: dict[str, int] = dict.fromkeys(KINDS, 0)
    missed: dict[str, int] = dict.fromkeys(KINDS, 0)
    for number in range(games):
        game = find("abak" if number % 10 == 0 else "backgammon")
        cube: dict[str, Any] = {"cube": "on"} if number % 2 else {}
        table, _ = await played(game, ChainedLuck(number), number, options=cube)
        rolls = [entry.body.split(" ") for entry in table.record.entries if entry.kind is Kind.CHANCE]
        assert verify(game, load(dump(table.record))) == len(rolls)
        secrets = [roll[1] for roll in rolls]
        assert [commitment(secret) for secret in secrets] == [table.record.header.commitment, *secrets[:-1]]
        text = sealed(dump(table.record))
        check_seal(text)
        lines = entry_lines(text)
        for altered in alterations(table, random.Random(number)):
            found[altered.what] += 1
            line = lines[altered.entry]
            with pytest.raises(CorruptRecord, match=f"line {line}:"):
                check_seal(f"{dump(altered.record)}{text.splitlines()[-1]}\n")
            missed[altered.what] += not named(altered, line, exact=altered.what in EXACT)
    assert min(found.values()) >= games // 2, found
    assert [missed[what] for what in EXACT] == [0, 0, 0], missed
    assert all(missed[what] <= max(4, found[what] / 6) for what in KINDS), (missed, found)


def named(altered: Alteration, line: int, *, exact: bool) -> bool:
    """Returns whether the rolls alone show the alteration at its line, or if not ``exact``, in a range around it."""
    try:
        verify(find(altered.record.header.game), altered.record)
    except BrokenEntry as error:
        return error.line == line if exact else error.first <= line <= error.line
    return False


def first_roll(record: Record) -> int:
    return next(number for number, entry in enumerate(record.entries) if entry.kind is Kind.CHANCE)


async def record_of(length: int, number: int = 3) -> Table[Any, Any]:
    return (await played(find("backgammon"), ChainedLuck(number, length), number))[0]


def announced(record: Record) -> list[int]:
    return [number for number, entry in enumerate(record.entries) if entry.body.endswith(f" {RENEWED}")]


async def test_a_new_chain_is_announced_before_a_play() -> None:
    table = await record_of(67)
    found = announced(table.record)
    assert len(found) > 10
    assert verify(table.game, table.record) > 40
    for number in found:
        later = table.record.entries[number + 1 :]
        kinds = [entry.kind for entry in later]
        assert Kind.PLAY in kinds[: kinds.index(Kind.CHANCE)] if Kind.CHANCE in kinds else True


async def test_a_chain_that_is_used_up_without_an_announcement_is_found_if_nobody_played() -> None:
    """A chain of one secret ends with each roll; the opening roll is repeated if its dice are equal."""
    game = find("backgammon")
    for number in range(200):
        table, _ = await played(game, ChainedLuck(number, 1), number)
        if table.record.entries[1].kind is Kind.CHANCE:
            break
    with pytest.raises(BrokenEntry, match="entry 1: nobody played after the promise on line"):
        verify(table.game, table.record)


async def test_an_unannounced_chain_is_found() -> None:
    table = await record_of(67)
    number = announced(table.record)[0]
    entry = table.record.entries[number]
    silent = replace(entry, body=entry.body.removesuffix(f" {RENEWED}"))
    record = replace(
        table.record, entries=(*table.record.entries[:number], silent, *table.record.entries[number + 1 :])
    )
    with pytest.raises(BrokenEntry, match=f"entry {number}: the promise of the next roll"):
        verify(table.game, record)


async def test_a_record_without_a_chain_still_verifies() -> None:
    """As the bot wrote them before: each promise in the roll before it."""
    table, _ = await played(find("backgammon"), SeededLuck(4), 4)
    assert verify(table.game, table.record) == sum(entry.kind is Kind.CHANCE for entry in table.record.entries)


async def test_an_altered_first_promise_of_a_chain_is_found_on_its_line() -> None:
    table = await record_of(1024)
    number = first_roll(table.record)
    entry = table.record.entries[number]
    forged = replace(entry, body=f"{entry.body[:-1]}{'0' if entry.body[-1] != '0' else '1'}")
    record = replace(
        table.record, entries=(*table.record.entries[:number], forged, *table.record.entries[number + 1 :])
    )
    with pytest.raises(BrokenEntry, match=f"entry {number}: the promise of the next roll was altered"):
        verify(table.game, record)


async def test_rolls_tell_whose_they_are_and_what_was_signed() -> None:
    table = await record_of(1024)
    rolls = list(Verification(table.game, table.record).rolls())
    opening, *others = [roll for roll in rolls if roll.seat is not None]
    assert not opening.uneven
    assert all(roll.uneven for roll in others)
    for roll in others:
        after = [entry for entry in table.record.entries[roll.entry + 1 :] if entry.kind is not Kind.CHANCE]
        assert not after or after[0].seat == roll.seat
        assert roll.message.startswith(f"{table.record.header.id}:{roll.number - 1}:")
        assert commitment(roll.secret) == roll.promised


async def test_the_command_line_names_the_line_of_the_file(tmp_path: Path) -> None:
    table = await record_of(1024)
    text = sealed(str(table.record))
    path = tmp_path / "a.record"
    path.write_text(text)
    said = engine("verify", str(path))
    assert (said.returncode, said.stderr) == (0, "")
    assert "rolls verified" in said.stdout
    lines = text.splitlines()
    roll = next(number for number, line in enumerate(lines) if " chance * " in line and number > 20)
    for altered, expected in (
        ([*lines[:roll], lines[roll].replace("chance * ", "chance * 6", 1), *lines[roll + 1 :]], roll + 1),
        ([*lines[:roll], lines[roll][:-1], *lines[roll + 1 :]], roll + 1),
        ([*lines[:roll], "nonsense", *lines[roll + 1 :]], roll + 1),
        ([*lines[:-2], f"{lines[-2]} ", lines[-1]], len(lines) - 1),
    ):
        path.write_text("\n".join(altered) + "\n")
        said = engine("verify", str(path))
        assert said.returncode == 2
        assert said.stderr.startswith(f"line {expected}"), said.stderr
    path.write_bytes(b"\xff\xfe")
    said = engine("verify", str(path))
    assert (said.returncode, said.stderr.count("\n")) == (2, 1)


def test_a_seal_is_no_part_of_the_record() -> None:
    text = "format: 1\ngame: nim\nversion: 1\nid: a\nstarted: 1\n\n0 play 0 1\n"
    assert load(sealed(text)) == load(text)
    with pytest.raises(CorruptRecord, match="line 7"):
        load(text.replace("0 play", "0 jump"))
