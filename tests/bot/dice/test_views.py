"""``/abak dice``: the proof of a game for anybody, and a player's own statistics."""

from __future__ import annotations

import hashlib
import random
import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from fakes.luck import SeededLuck
from harness.bot import SPANISH, private, told
from harness.discord import Seat

from bot.core.translations import language
from bot.dice.repository import DiceRepository
from bot.dice.service import DiceService
from bot.dice.views import PER_PAGE
from bot.games.service import GameService
from engine.core.record import Kind, load
from engine.core.rolls import Verification

if TYPE_CHECKING:
    from pathlib import Path

    from harness.bot import Room

EN = language("en")


@pytest.fixture
def luck() -> SeededLuck:
    return SeededLuck(1)


async def play(room: Room, turns: int) -> Any:
    """Plays some turns of backgammon, without doubles."""
    live = await room.begin("backgammon")
    assert room.bot is not None
    games, rng = room.bot.service(GameService), random.Random(5)
    for _ in range(turns):
        if live.to_act is None:
            break
        found = [live.game.format(live.state, steps) for steps, _ in live.game.turns(live.state)]
        text = "roll" if "roll" in found else rng.choice(found)
        live = await games.play(live.id, live.to_act, live.seq, text)
    return await room.shown()


def record_file(room: Room, who: Seat) -> bytes:
    attachment = private(who)["attachments"][-1]
    return room.server.world.attachment(int(attachment["id"]))[0]


async def test_anybody_sees_the_proof_of_every_roll_and_can_repeat_one_by_hand(room: Room, tmp_path: Path) -> None:
    live = await play(room, 34)
    eve = Seat.join(room.server.world, "Eve", room.channel_id)
    await eve.slash("abak dice")
    rolls = list(Verification(live.game, live.record).rolls())
    assert len(rolls) > 12
    assert told(eve).startswith(EN("dice.proof", game="Backgammon", n=len(rolls)))
    seen = told(eve)
    for _ in range((len(rolls) - 1) // PER_PAGE):
        await eve.press("b:dice:", private(eve))  # the first of the two buttons leads back
        seen += told(eve)
    for roll in rolls:
        assert re.search(
            rf"^ *{roll.number} {roll.outcome} .*{roll.promised[:8]} {roll.secret[:8]} ✓$", seen, re.MULTILINE
        )
    name = private(eve)["attachments"][-1]["filename"]
    (tmp_path / name).write_bytes(record_file(room, eve))
    assert load((tmp_path / name).read_text()) == live.record
    number = int(re.findall(r"Check roll (\d+)", told(eve))[0])
    roll = rolls[number - 1]
    commands = re.findall(r"^(?:head|printf) .*$", told(eve), re.MULTILINE)
    said = [run(command, tmp_path) for command in commands]
    assert said[0] in roll.message
    assert said[1] == roll.promised
    assert re.fullmatch("[0-9a-f]{64}", said[2])


def run(command: str, folder: Path) -> str:
    found = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=True)  # noqa: S602
    (digest,) = re.findall(r"\b[0-9a-f]{64}\b", found.stdout)
    return digest


async def test_a_game_without_dice_says_so_and_leads_to_the_statistics(room: Room) -> None:
    await room.begin("abalone")
    await room.ben.slash("abak dice")
    assert told(room.ben) == EN("dice.none", game="Abalone")
    await room.ben.press("b:dice_mine:", private(room.ben))
    assert told(room.ben) == EN("dice.no_rolls")


async def test_a_finished_game_is_counted_for_both(room: Room) -> None:
    live = await play(room, 24)
    assert room.bot is not None
    games, dice = room.bot.service(GameService), room.bot.service(DiceService)
    await games.resign(live.id, room.ana.user_id, live.game.resign_values(live.state, 0)[-1])
    for _ in range(100):
        if not await dice.count_finished() and (await dice.statistics(room.ana.user_id))[0].rolls:
            break
    own, theirs = await dice.statistics(room.ana.user_id)
    other, mine = await dice.statistics(room.ben.user_id)
    assert (own.counts, theirs.counts) == (mine.counts, other.counts)
    rolls = [roll for roll in Verification(live.game, live.record).rolls() if roll.uneven]
    assert own.rolls + theirs.rolls == len(rolls) > 10
    assert own.rolls == sum(roll.seat == 0 for roll in rolls)
    channel = room.server.world.add_channel("elsewhere")
    ana = room.ana.at(channel)
    await ana.slash("abak dice")
    assert told(ana).startswith(EN("dice.mine", n=own.rolls))
    assert "%" in told(ana)
    picture = private(ana)["attachments"][0]
    assert picture["filename"] == "dice.png"
    assert picture["description"].startswith("How often each number came up. You: 1: ")


async def test_a_game_of_another_channel_is_for_who_may_look_at_it(room: Room) -> None:
    """As for a replay (bot.board.access): its players may, also elsewhere."""
    live = await play(room, 4)
    ana = room.ana.at(room.server.world.add_channel("elsewhere"))
    await ana.slash("abak dice", game=live.id)
    assert told(ana).startswith("✅ ")
    await ana.slash("abak dice", game="nothere")
    assert told(ana) == EN("table.unknown")


async def test_in_spanish(spanish_room: Room) -> None:
    live = await play(spanish_room, 6)
    assert spanish_room.say.code == "es"
    assert SPANISH.startswith("es")
    await spanish_room.ben.slash("abak dice")
    assert told(spanish_room.ben).startswith(
        language("es")("dice.proof", game="Backgammon", n=sum(e.kind is Kind.CHANCE for e in live.entries))
    )


async def test_an_altered_record_is_told_with_its_line(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    await play(room, 4)
    from engine.core import rolls

    monkeypatch.setattr(rolls, "commitment", lambda text: hashlib.sha256(f"{text}x".encode()).hexdigest())
    await room.ben.slash("abak dice")
    assert told(room.ben).startswith("❌ ")
    assert "line " in told(room.ben)


async def test_counts_are_rebuilt_from_the_records(room: Room) -> None:
    live = await play(room, 12)
    assert room.bot is not None
    games, dice = room.bot.service(GameService), room.bot.service(DiceService)
    await games.resign(live.id, room.ana.user_id, live.game.resign_values(live.state, 0)[-1])
    while not (await dice.statistics(room.ana.user_id))[0].rolls:
        await dice.count_finished()
    before = await dice.statistics(room.ana.user_id)
    database = room.bot.services.database
    await DiceRepository(database).count("nothing", {(room.ana.user_id, 0, "11"): 9})
    assert await dice.statistics(room.ana.user_id) == before, "a game that is not queued is not counted"
    assert await dice.recount() == 1
    assert await dice.statistics(room.ana.user_id) == before
