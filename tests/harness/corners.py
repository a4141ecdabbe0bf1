"""Channels with one game after another, whose bot may die at any moment, and what must hold in them."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from bot.core.translations import language
from bot.sandbox.errors import Refused, Timeout
from engine.core.record import Kind
from engine.core.rolls import verify
from harness.books import Books, replayed
from harness.bot import Room, shows_board, wired
from harness.discord import is_ephemeral, text
from harness.origins import is_of_game, shows
from harness.players import Greedy

if TYPE_CHECKING:
    from bot.games.stored import StoredGame
    from bot.sandbox.server import Server
    from engine.core.record import Record

EN: Final = language("en")
NOT_PLAYED, NOT_SHOWN, NOT_NOTED, SHOWN = "not played", "played, not shown", "shown, not noted", "shown"
STRIP: Final = "strip"
EDIT: Final = "edit"


@dataclass
class Corner:
    """A channel with one game after another, and what its players have been promised."""

    room: Room
    game: str
    player: Greedy
    mode: str = STRIP
    """What becomes of the board before."""
    record: Record | None = None
    """As it was when all was quiet."""
    promised: str = ""
    """A turn that was acknowledged since."""
    tried: str = ""
    """A turn that was sent since."""
    played: int = 0
    ended: list[str] = field(default_factory=list)

    async def present(self, books: Books) -> StoredGame | None:
        return await books.latest(self.room.channel_id)

    async def act(self, books: Books) -> None:
        """Does the next act of the two: a turn, a challenge, or accepting it. The bot may die over it."""
        stored = await self.present(books)
        with contextlib.suppress(Timeout, Refused):
            if stored is None or replayed(stored).outcome is not None:
                await self._begin()
                return
            table = replayed(stored)
            assert table.to_act is not None
            who = self.room.seat_of(stored.players[table.to_act])
            steps = self.player.turn(table.game, table.state)
            self.tried = table.game.format(table.state, steps)
            sent = await who.slash("abak move play", notation=self.tried)
            if sent.message is not None and "confirm" in verbs(sent.message):  # the turn loses the game
                sent = await who.press("b:confirm:", sent.message)
            # answered, and nothing is said beside the board
            assert sent.message is None or (shows_board(sent.message) and not is_ephemeral(sent.message))
            self.promised = self.tried

    async def _begin(self) -> None:
        room = self.room
        challenge = next((m for m in room.ben.messages[::-1] if "accept_challenge" in verbs(m)), None)
        if challenge is None:
            await room.challenge(self.game, **({"layout": "hyper"} if self.game == "backgammon" else {}))
        else:
            await room.ben.press("b:accept_challenge:", challenge)

    async def unshown(self, books: Books) -> bool:
        """Returns whether entries were played that nobody was shown."""
        stored = await self.present(books)
        return stored is not None and stored.shown_seq < len(stored.record.entries)

    async def state(self, books: Books) -> str:
        """Returns how far the last turn had come when the bot died."""
        stored = await self.present(books)
        if stored is None or not self.tried:
            return "no turn"
        table = replayed(stored)
        if self.record is not None and stored.record == self.record:
            return NOT_PLAYED
        if stored.shown_seq == table.seq:
            return SHOWN
        sent = [self.shows(message) for message in self.room.boards]
        return NOT_NOTED if (stored.record.header.id, table.seq) in sent else NOT_SHOWN

    async def check(self, books: Books) -> None:
        """Checks the state after a bot has taken up the work that the one before left undone."""
        stored = await self.present(books)
        if stored is None:
            assert self.record is None
            return
        table = replayed(stored)
        self.check_record(stored)
        board = self.room.board
        assert self.shows(board) == (stored.record.header.id, table.seq)
        assert str(stored.message_id) == board["id"]
        sent = [shows(message) for message in self.room.boards]
        assert len(set(sent)) == len(sent)
        self.check_calls(stored)
        await self.check_passing(books)
        of_this_game = [m for m in self.room.boards if shows(m)[0] == stored.record.header.id]
        assert all(wired(message) == [] for message in of_this_game[:-1])
        assert self.mode == STRIP or len(of_this_game) == 1
        if table.outcome is None:
            assert EN("board.turn", player=f"<@{stored.players[table.to_act or 0]}>") in text(board)
            assert any(x["custom_id"].startswith("b:move:") for x in wired(board))
        else:
            verify(table.game, stored.record)
            if stored.record.header.id not in self.ended:
                self.ended.append(stored.record.header.id)
        self.record, self.promised, self.tried = stored.record, "", ""

    def check_record(self, stored: StoredGame) -> None:
        """Checks that no entry has changed or is doubled, and that every promised one is there."""
        record, before = stored.record, self.record
        known = before.entries if before is not None and before.header == record.header else ()
        if before is not None and before.header != record.header:
            assert before.header.id in self.ended
        assert record.entries[: len(known)] == known
        added = [entry.body for entry in record.entries[len(known) :] if entry.kind is Kind.PLAY]
        assert added in ([], [self.tried])
        if self.promised:
            assert added == [self.promised]
        self.played += len(added)

    def shows(self, message: dict[str, Any]) -> tuple[str, int]:
        """Returns the game and the entry that a board shows; a board that is changed in place says so in
        its buttons.
        """
        if self.mode != EDIT or not wired(message):
            return shows(message)
        flip = next(x["custom_id"].split(":") for x in wired(message) if x["custom_id"].startswith("b:flip:"))
        return flip[2], int(flip[3])

    def check_calls(self, stored: StoredGame) -> None:
        """Checks for one call for each board, to the player whose turn it was."""
        table = replayed(stored)
        called = [(shows(message), user_id) for user_id, message in self.room.pings if is_of_game(message)]
        assert len({turn for turn, _ in called}) == len(called)
        if table.outcome is None:
            assert called[-1] == ((stored.record.header.id, table.seq), stored.players[table.to_act or 0])
        if self.mode == STRIP:
            self.check_boards(stored)

    async def check_passing(self, books: Books) -> None:
        """Checks that every call beside a board that still stands is going to be removed."""
        standing = [m for m in self.room.ana.messages if not m["attachments"] and "move" in verbs(m)]
        assert self.mode == EDIT or standing == []
        assert {int(message["id"]) for message in standing} <= await books.passing()

    def check_boards(self, stored: StoredGame) -> None:
        """Checks the same by the boards, which all stand still."""
        called: dict[str, list[int]] = {message["id"]: [] for message in self.room.boards}
        for user_id, message in self.room.pings:
            if shows_board(message):
                called[message["id"]].append(user_id)
        table = replayed(stored)
        for message in self.room.boards:
            game, seq = shows(message)
            over = table.outcome is not None and (game, seq) == (stored.record.header.id, table.seq)
            assert len(called[message["id"]]) == int(not over and (game, seq) not in self._ends())
        if table.outcome is None:
            assert called[self.room.board["id"]] == [stored.players[table.to_act or 0]]

    def _ends(self) -> list[tuple[str, int]]:
        """Returns the last board of each game but the present one."""
        last: dict[str, int] = {}
        for message in self.room.boards:
            game, seq = shows(message)
            last[game] = max(seq, last.get(game, 0))
        return [(game, seq) for game, seq in last.items() if game in self.ended]


def verbs(message: dict[str, Any]) -> set[str]:
    """Returns the verbs of a message's buttons and menus."""
    return {x["custom_id"].split(":")[1] for x in wired(message)}


def tidy(corner: Corner) -> bool:
    """Returns whether only a game's newest board can be used."""
    boards = corner.room.boards
    newest = {shows(message)[0]: message["id"] for message in boards}
    return all(wired(message) == [] for message in boards if newest[shows(message)[0]] != message["id"])


def corners_of(server: Server, games: list[str], mode: str = STRIP) -> list[Corner]:
    return [Corner(Room.of(server), game, Greedy(seed, patience=3), mode) for seed, game in enumerate(games)]
