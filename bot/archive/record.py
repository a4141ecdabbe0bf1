"""The written record of a game: numbered turns in the game's notation, and the other events between them."""

from collections.abc import Sequence
from itertools import count
from typing import Final

from bot.board import message as board
from bot.board import story
from bot.board.cube_actions import is_cube_action
from bot.board.message import fitted
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.players.mentions import named
from engine.core.game import Note
from engine.core.record import TURN_KINDS, Kind
from engine.core.timekeeping import SYSTEM_KINDS

MARKUP: Final = str.maketrans("", "", "`*")
FENCE: Final = "```"


def lines(live: LiveGame, say: Language) -> list[str]:
    """Writes a line for each turn, with its dice if there are any: ``1. White 31: 8/5 6/5``.

    Doubles, offers and answers have lines without a number.
    """
    table, numbers, dice = live.table, count(1), ""
    found = []
    for number, (entry, notes) in enumerate(zip(table.record.entries, table.notes, strict=True)):
        if entry.kind is Kind.CHANCE:
            dice = entry.body.split(" ")[0]
        elif entry.kind in TURN_KINDS and not is_cube_action(notes):
            seat = story.seat_name(live, entry.seat, say)
            found.append(f"{next(numbers)}. {seat}{f' {dice}' if dice else ''}: {entry.body}")
            dice = ""
        elif entry.kind in SYSTEM_KINDS or _is_routine(notes):
            continue
        elif line := story.entry_line(live, say, number):
            found.append(f"   {line.translate(MARKUP)}")
    return found


def _is_routine(notes: Sequence[Note]) -> bool:
    """Returns whether an entry only rolls the dice, which the turn's line shows."""
    return any((Kind.PLAY, note.key) in story.WITHOUT_LINE for note in notes)


def message(live: LiveGame, say: Language, proof: str = "") -> str:
    """Writes the record as a message, in a code block: as much of its end as fits.

    ``proof`` is the name of the file for checking the dice; empty if there are none to check.
    """
    written = lines(live, say) or [say("record.empty")]
    head = [board.heading(live, say), board.status(live, say)]
    closing = [FENCE, say("record.proof", file=proof)] if proof else [FENCE]
    if live.commitment and not live.is_over:
        closing.append(say("record.promise", seal=live.commitment))
    room = fitted("\n".join([*head, FENCE]), written, closing)
    return "\n".join(room)


def text(live: LiveGame, say: Language, names: tuple[str, str]) -> str:
    """Writes the whole record as a text file: game, players, options, start position, every line, status."""
    header, game = live.record.header, live.game
    seats = [f"{story.seat_name(live, seat, say)}: {names[seat]}" for seat in (0, 1)]
    options = [f"{name}: {value}" for name, value in header.options]
    position = [header.position] if header.position else []
    status = named(board.status(live, say), live.players, names)
    return "\n".join([game.name, *seats, *options, *position, "", *lines(live, say), "", status, ""])
