"""Games with the cube in play: what its buttons say, and how the first double is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fakes.luck import ScriptedLuck

from bot.board.cube_actions import AT_ONCE
from engine.registry import GAMES
from harness.bot import private, wired
from harness.thinning import one_of

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from engine.core.table import Table
    from harness.bot import Room
    from harness.discord import Seat

CUBED: Final = [key for key, game in GAMES.items() if any(option.key == "cube" for option in game.options)]
FIRST: Final = {"backgammon": "8/5 6/5", "abak": "24/23 8/5"}
"""White's turn after the opening roll 3-1."""
ROLLS: Final = ("31", "52", "64", "41", "53", "62")
cube_game: Final = one_of("game", CUBED)


class AnyRolls(ScriptedLuck):
    """A script of which not everything need be rolled. Entries hold the secrets, as in a real game."""

    def body(self, table: Table[Any, Any], secret: str, following_commitment: str) -> str:
        return f"{super().body(table, secret, following_commitment)} {secret} {following_commitment}"

    def close(self) -> None:
        self._left.clear()


def verbs(message: dict[str, Any]) -> list[str]:
    """Returns the verbs of the buttons; for cube actions, the action."""
    parts = [x["custom_id"].split(":") for x in wired(message)]
    return [part[4] if part[1] == "cube" else part[1] for part in parts]


def labels(message: dict[str, Any]) -> list[str]:
    return [x["label"] for x in wired(message)]


def course(live: LiveGame) -> list[str]:
    return [f"{entry.kind} {entry.seat} {entry.body.split(' ')[0]}" for entry in live.table.record.entries]


async def press(who: Seat, word: str, message: dict[str, Any]) -> None:
    """Presses the button that says the word."""
    button = next(x for x in wired(message) if x["custom_id"].endswith(f":{word}"))
    await who.press(button["custom_id"], message)


async def first_turn(room: Room, game: str) -> LiveGame:
    """Lets Ana (White) play the opening roll, so that Ben is to roll or to double."""
    live = await room.begin(game, cube="on")
    await room.type(live, FIRST[game])
    return await room.shown()


async def insist(room: Room, who: Seat, word: str) -> LiveGame:
    """Presses a button of the board, and what it then asks about, if it does; the game after that."""
    await press(who, word, room.board)
    if word not in AT_ONCE:
        await press(who, word, private(who))
    return await room.shown()


async def doubled(room: Room, game: str) -> LiveGame:
    """Lets Ben double, so that Ana is to take or to pass."""
    await first_turn(room, game)
    return await insist(room, room.ben, "double")
