"""A game's public message: what happened, whose turn it is, the board, the buttons."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.actions import clock_actions
from bot.board import pictures
from bot.board.buttons import acts, ways_of
from bot.board.cube_actions import calls, is_said
from bot.clocks import words as clock_words
from bot.clocks.time_off_words import ABSENCE, absence
from bot.core.interactions.answer import Answer
from bot.core.interactions.routing import Press, PressButton, view_of
from bot.core.translations import Language
from bot.games.service import Seated
from engine.core.game import CHANCE, Seat
from engine.core.offers import ADJOURN, PAUSE
from engine.core.record import TURNS, Entry, Kind
from engine.core.table import Table
from engine.core.takeback import TAKEBACK, line_of, undone
from engine.core.timekeeping import NOTED
from engine.kits.cube import Call
from render.view import Card, View

CONTENT: Final = 2000
"""Characters of a message."""
SEAL: Final = 32
"""How many digits of a commitment are shown: 128 bits, so that nobody can have two secrets at hand for them. Of fewer,
whoever chooses the secret finds two by trying; the whole stands in the record.
"""
TIE: Final = "dice.opening_equal"
"""The note of a roll for who begins that decides nothing: such rolls are told with the one that does."""
AROUND: Final = ("flip", "more", "resign")
"""What the board of a running game offers besides what is wanted."""
UNTOLD: Final = frozenset({(Kind.PLAY, "cube.does.rolls")})
"""What is not worth a line: the dice that fall are told."""
NOBODY: Final = discord.AllowedMentions.none()


@dataclass(frozen=True, slots=True)
class Message:
    """All that is sent to a channel."""

    content: str
    file: discord.File
    view: discord.ui.View
    mentions: discord.AllowedMentions
    call: str
    """For whoever is wanted, where the board itself is no new message; empty when the game is over."""
    ways: discord.ui.View
    """The buttons of such a call. A call is known again by them: unlike a board's they do not turn it round."""


async def message(
    seated: Seated, say: Language, reader: Mapping[str, str], theme: str, names: tuple[str, str]
) -> Message:
    """The message that brings the channel up to the game's present ``seq``, in the server's ``theme``.

    It is turned to whoever is wanted: ``reader`` is what they prefer.
    """
    asked = asked_seat(seated)
    noted = only_noted(seated)
    told_lines = story(seated, say, told_from(seated))
    closing = [status(seated, say), *clock_words.lines(seated, say)]
    if seated.commitment and seated.table.outcome is None:
        closing.append(say("board.sealed", seal=seated.commitment[:SEAL]))
    lines = fitted(heading(seated, say), told_lines, closing)
    mentions = NOBODY
    if asked is not None and not noted:
        mentions = discord.AllowedMentions(
            everyone=False, roles=False, users=[discord.Object(seated.players[asked])], replied_user=False
        )
    happened = " ".join(told_lines)
    below = public_below(seated, reader["below"])
    if seated.table.outcome is None:
        left = clock_words.frame(seated, say)
        file = await pictures.board(seated.table, below, say, theme, names, happened, left)
    else:
        view = View(last=pictures.last_marks(seated.table), theme=theme, names=names)
        ended = named(status(seated, say), seated, names)
        file = await pictures.card(seated.table, view, result(seated, say), say, f"{happened} {ended}")
    call = status(seated, say) if asked is not None and not noted else ""
    ways = view_of(*acts(seated, say)) if call else discord.ui.View()
    return Message("\n".join(lines), file, view_of(*buttons(seated, say)), mentions, call, ways)


def only_noted(seated: Seated) -> bool:
    """Whether there is nothing new but what the bot notes of time: the board changes in place, and calls nobody."""
    unseen = seated.unseen
    return seated.shown_seq >= 0 and seated.table.outcome is None and all(entry.kind in NOTED for entry in unseen)


def told_from(seated: Seated) -> int:
    """The entry from which on the board's message tells; what it has told already, it tells again beside a note."""
    since = max(seated.shown_seq, 0)
    if not only_noted(seated):
        return since
    entries = seated.table.record.entries
    acts = [number for number, entry in enumerate(entries[:since]) if entry.kind not in NOTED]
    return next((number for number in acts if entries[number].at == entries[acts[-1]].at), since)


def result(seated: Seated, say: Language) -> Card:
    """What the card says that ends a game."""
    table, outcome = seated.table, seated.table.outcome
    if outcome is None:
        raise ValueError("the game goes on")
    points = "" if outcome.winner is None else say("card.points", n=abs(outcome.points[0]))
    reason = say(outcome.reason)
    how = reason[:1].upper() + reason[1:]
    return Card(outcome.winner, table.game.name, points, how, (say("card.turns", n=turns_made(table)),))


def turns_made(table: Table[Any, Any]) -> int:
    """How many turns have been played: what is only said, to roll or to double, is none."""
    made = (notes for entry, notes in zip(table.record.entries, table.told, strict=True) if entry.kind in TURNS)
    return sum(not is_said(notes) for notes in made)


def fitted(first: str, middle: list[str], closing: list[str]) -> list[str]:
    """The lines of a message; where they are too many, the earliest of the ``middle`` are left out."""
    left = CONTENT - len("\n".join([first, *closing])) - len("\n…")
    kept: list[str] = []
    for line in reversed(middle):
        left -= len(line) + 1
        if left < 0:
            kept.append("…")
            break
        kept.append(line)
    return [first, *reversed(kept), *closing]


def asked_seat(seated: Seated) -> Seat | None:
    """The seat from whom something is wanted: the answer to an offer, else its turn; None when the game is over."""
    table = seated.table
    if table.outcome is not None:
        return None
    return 1 - table.offer.seat if table.offer else table.to_act


def seat_name(seated: Seated, seat: Seat, say: Language) -> str:
    return say(f"seat.{seated.table.game.seats[seat]}")


def heading(seated: Seated, say: Language) -> str:
    """``**Backgammon** · White @Ana · Black @Ben``."""
    first, second = (
        say("board.seat", seat=seat_name(seated, seat, say), player=f"<@{seated.players[seat]}>") for seat in (0, 1)
    )
    return say("board.heading", game=seated.table.game.name, first=first, second=second)


def story(seated: Seated, say: Language, since: int) -> list[str]:
    """What happened after entry ``since``, a line each."""
    table = seated.table
    lines, paused, ties, fell = [], False, 0, False
    for number, (entry, notes) in enumerate(zip(table.record.entries, table.told, strict=True)):
        resumes = paused and entry.kind in TURNS
        paused = pauses(entry, paused=paused)
        if number < since:
            continue
        if resumes:
            lines.append(say("story.resume", seat=seat_name(seated, entry.seat, say)))
        line = told(seated, say, number, dice=not fell)
        fell = entry.kind is Kind.CHANCE or (fell and entry.kind not in TURNS)
        tied = any(note.key == TIE for note in notes)
        if ties and line and not tied:
            lines[-1:] = [say("story.ties", line=line, n=ties)]
        elif not (ties and tied):
            lines.append(line)
        ties = ties + 1 if tied else 0
    return [line for line in lines if line]


def latest(seated: Seated, say: Language) -> list[str]:
    """The last turn that is worth a line, and what has happened since: for whoever sees the board again."""
    table = seated.table
    turns = (
        number for number, entry in enumerate(table.record.entries) if entry.kind in TURNS and told(seated, say, number)
    )
    return story(seated, say, max(turns, default=0))


def pauses(entry: Entry, *, paused: bool) -> bool:
    """Whether a game is paused after an entry, if it was ``paused`` before: whoever plays resumes it."""
    if entry.kind in TURNS or entry.kind is Kind.RESUME:
        return False
    if entry.kind is not Kind.ACCEPT:
        return paused
    what = entry.body.partition(" ")[0]
    return what == PAUSE or (paused and what != ADJOURN)


def told(seated: Seated, say: Language, number: int, *, dice: bool = False) -> str:
    """One entry in words, by its number; a turn with its ``dice``. Nothing where what follows says it all."""
    table = seated.table
    entry, notes = table.record.entries[number], table.told[number]
    if entry.kind is Kind.CHANCE:
        return "; ".join(map(say.note, notes))
    seat = "" if entry.seat == CHANCE else seat_name(seated, entry.seat, say)
    rolled = roll_of(table, number) if dice and entry.kind in TURNS else ""
    if entry.kind is Kind.FORCED and entry.body == table.game.pass_text:
        return say("story.pass_dice", seat=seat, dice=rolled) if rolled else say("story.pass", seat=seat)
    for note in notes[:1]:
        if (entry.kind, note.key) in UNTOLD:
            return ""
        over = () if is_asked(table, number) else (f"story.{note.key}.over",)
        for key in (f"story.{entry.kind}.{note.key}", *over, f"story.{note.key}"):
            if say.has(key):
                return say(key, seat=seat, **note.params)
    if entry.kind in {Kind.OFFER, Kind.ACCEPT, Kind.DECLINE, Kind.WITHDRAW}:
        what, _, rest = entry.body.partition(" ")
        if what == TAKEBACK and entry.kind in {Kind.OFFER, Kind.ACCEPT}:
            asker = entry.seat if entry.kind is Kind.OFFER else 1 - entry.seat
            return taken_back(seated, say, f"story.{entry.kind}_takeback", asker, number, seat=seat)
        clock = clock_words.control(rest, say) if what == ADJOURN else ""
        return say(f"story.{entry.kind}_{what}", seat=seat, n=int(rest) if rest.isdecimal() else 0, clock=clock)
    if entry.kind in ABSENCE:
        return absence(entry, seat, table.record.header.started, say)
    if entry.kind is Kind.CLAIM:
        return say(f"story.claim_{entry.body}", seat=seat)
    if rolled:
        line = say(f"story.{entry.kind}_dice", seat=seat, move=entry.body, dice=rolled)
    else:
        line = say(f"story.{entry.kind}", seat=seat, move=entry.body)
    if entry.kind not in TURNS or table.game.enumerates_turns:
        return line
    does = [say(key, **note.params) if say.has(key := f"told.{note.key}") else say.note(note) for note in notes]
    return say("story.does", line=line, does="; ".join(does)) if does else line


def is_asked(table: Table[Any, Any], number: int) -> bool:
    """Whether what was said by that entry still waits for its answer."""
    latest = table.outcome is None and table.line[-1:] == table.record.entries[number : number + 1]
    return latest and Call.TAKE in calls(table.game, table.state)


def roll_of(table: Table[Any, Any], number: int) -> str:
    """``3-1``: the dice with which the turn of that entry was made; "" where none fell for it."""
    line = line_of(table.record.entries[:number])
    if not line or line[-1].kind is not Kind.CHANCE:
        return ""
    return "-".join(sorted(line[-1].body.split(" ")[0], reverse=True))


def taken_back(seated: Seated, say: Language, key: str, asker: Seat, number: int, **given: str) -> str:
    """What a takeback after so many entries undoes: the turn of ``asker``, and what was played in reply."""
    game = seated.table.game
    moves = [
        say(word) if say.has(word := f"{game.key}.word.{entry.body}") else entry.body
        for entry in undone(seated.table.record.entries[:number], asker)
    ]
    if len(moves) == 1:
        return say(key, move=moves[0], **given)
    return say(f"{key}_reply", move=moves[0], reply=say.listed(f"`{move}`" for move in moves[1:]), **given)


def status(seated: Seated, say: Language) -> str:
    """Whose turn it is, or how the game ended."""
    table, outcome = seated.table, seated.table.outcome
    if outcome is None:
        asked = asked_seat(seated)
        player = f"<@{seated.players[asked or 0]}>"
        if table.offer is None:
            return turn(table, player, say)
        return say("board.answer_or_play" if table.to_act == asked else "board.answer", player=player)
    reason = say(outcome.reason)
    if outcome.reason == "end.aborted":
        return say("board.aborted")
    if outcome.winner is None:
        return say("board.drawn", reason=reason)
    winner = seat_name(seated, outcome.winner, say)
    player = f"<@{seated.players[outcome.winner]}>"
    return say("board.won", seat=winner, player=player, reason=reason, n=abs(outcome.points[0]))


def named(text: str, seated: Seated, names: tuple[str, str]) -> str:
    """A text with the players' names, for where Discord does not show whom it mentions."""
    for player, name in zip(seated.players, names, strict=True):
        text = text.replace(f"<@{player}>", name)
    return text


def turn(table: Table[Any, Any], player: str, say: Language) -> str:
    """Whose turn it is, and between what they have to decide if it is nothing on the board."""
    first = next(iter(calls(table.game, table.state)), "")
    key = f"call.turn.{first}"
    return say(key if first and say.has(key) else "board.turn", player=player)


def buttons(seated: Seated, say: Language, rematch: str = "") -> list[discord.ui.Item[Any]]:
    """The buttons of the present position; a finished game can still be looked at.

    The address of its ``rematch`` takes the place of asking for one.
    """
    seq = seated.table.seq

    def button(verb: str, style: str = "plain", rest: str = "", row: int = 0) -> PressButton:
        return PressButton(Press(verb, seated.id, seq, rest), say(f"button.{verb}"), style, row=row)

    if seated.table.outcome is not None:
        again: discord.ui.Item[Any] = button("rematch", "good")
        if rematch:
            again = discord.ui.Button(label=say("button.to_rematch"), url=rematch)
        return [again, button("replay"), button("flip")]
    styles = {"resign": "danger"}
    around = [button(verb, styles.get(verb, "plain"), row=1) for verb in around_a_board(seated)]
    return [*acts(seated, say), *clock_actions.on_board(seated, say), *around]


def around_a_board(seated: Seated) -> tuple[str, ...]:
    """AROUND, or what is left of it while an answer is wanted: the way to the rest."""
    table = seated.table
    asked = table.offer is not None or Call.TAKE in calls(table.game, table.state)
    return ("more",) if asked else AROUND


def reader_of(seated: Seated) -> int:
    """For whom the public board is drawn: whoever is wanted, else the first player."""
    return seated.awaited or seated.players[0]


def public_below(seated: Seated, wish: str) -> Seat:
    """Which side is drawn below in public, by the wish of who it is drawn for."""
    return 0 if wish == "first" else asked_seat(seated) or 0


def side_below(seated: Seated, user_id: int, wish: str) -> Seat:
    """Which side is drawn below for who looks at a board in private, by their wish.

    ``first``: always the first seat; ``own``: the looker's own, if they play; ``mover``: whoever is to act.
    """
    seats = seated.seats_of(user_id)
    if wish == "first":
        return 0
    if wish == "own" and seats:
        return seats[0]
    return asked_seat(seated) or 0


async def show(answer: Answer, seated: Seated, below: Seat, *, words: bool) -> None:
    """The board again, privately: as a picture, or in words for who cannot see it."""
    say = answer.say
    happened, closing = latest(seated, say), [status(seated, say), *clock_words.lines(seated, say), link(seated)]
    items = ways_of(seated, answer.user_id, say)
    ways = view_of(*items) if items else None
    if words:
        view = View(below=below, last=pictures.last_marks(seated.table), names=await answer.names(seated.players))
        closing.append(pictures.in_words(seated.table, view, say))
        await answer.private("\n".join(fitted(heading(seated, say), happened, closing)), view=ways)
        return
    left = clock_words.frame(seated, say, answer.client.services.now() - seated.table.record.header.started)
    names = await answer.names(seated.players)
    file = await pictures.board(seated.table, below, say, answer.theme, names, " ".join(happened), left)
    await answer.private("\n".join([heading(seated, say), *closing]), files=[file], view=ways)


def link(seated: Seated) -> str:
    """The address of the game's board, or of its channel."""
    place = f"https://discord.com/channels/{seated.place.guild_id or '@me'}/{seated.place.channel_id}"
    return f"{place}/{seated.message_id}" if seated.message_id else place
