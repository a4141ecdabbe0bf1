"""The story of a game: one line of the board's message for each entry."""

from collections.abc import Collection
from typing import Any, Final

from bot.board.cube_actions import is_cube_action
from bot.clocks import words as clock_words
from bot.clocks.time_off_words import ABSENCE, absence
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.games.notation import in_language
from bot.players.machines import is_machine
from engine.core.adjudication import RULINGS
from engine.core.clock import read_duration
from engine.core.game import CHANCE, Note, Seat
from engine.core.hours import DAY
from engine.core.offers import ADJOURN, MATCH
from engine.core.record import CHOSEN_KINDS, TURN_KINDS, Entry, Kind
from engine.core.table import Table
from engine.core.takeback import TAKEBACK, effective_entries_of, taken_back_entries
from engine.core.timekeeping import ABANDONED, SYSTEM_KINDS, interval

TIE: Final = "dice.opening_equal"
"""The note of an opening roll with equal dice. It is told in the line of the roll that decides who begins."""
WITHOUT_LINE: Final = frozenset({(Kind.PLAY, "cube.does.rolls")})
"""Entries without a line, such as a roll, as the next turn tells its dice."""
FORFEITED: Final = "end.forfeited"
RULED: Final = {
    "end.adjudicated": "story.adjudicated",
    "end.adjudicated_draw": "story.adjudicated_draw",
    FORFEITED: "story.forfeited",
    "end.voided": "story.voided",
}
"""The line of a decision from outside, by the reason of the outcome."""
OFFER_KINDS: Final = frozenset({Kind.OFFER, Kind.DECLINE, Kind.WITHDRAW})
"""Entries about an offer that change nothing else in the game."""


def seat_name(live: LiveGame, seat: Seat, say: Language) -> str:
    return say(f"seat.{live.game.seats[seat]}")


def side_name(live: LiveGame, seat: Seat, say: Language) -> str:
    return say(f"side.{live.game.seats[seat]}")


def story(live: LiveGame, say: Language, since: int, without: Collection[int] = ()) -> list[str]:
    """Tells the entries from number ``since`` on, one line for each.

    A turn is told in the point numbers of its player. ``without``: the numbers of entries that are left out.
    """
    entries, all_notes = live.table.record.entries, live.table.notes
    lines: list[str] = []
    ties, fell = 0, False
    for number in range(since, len(entries)):
        if number in without:
            continue
        entry, notes = entries[number], all_notes[number]
        line = entry_line(live, say, number, dice=not fell)
        fell = entry.kind is Kind.CHANCE or (fell and entry.kind not in TURN_KINDS)
        tied = any(note.key == TIE for note in notes)
        if ties and line and not tied:
            lines[-1:] = [say("story.ties", line=line, n=ties)]
        elif not (ties and tied):
            lines.append(line)
        ties = ties + 1 if tied else 0
    return [line for line in lines if line]


def latest(live: LiveGame, say: Language) -> list[str]:
    """Tells the last turn that has a line, and everything after it."""
    entries = live.table.record.entries
    turns = (
        number
        for number in reversed(range(len(entries)))
        if entries[number].kind in TURN_KINDS and entry_line(live, say, number)
    )
    return story(live, say, next(turns, 0))


def played_by(live: LiveGame, user_id: int, say: Language) -> str:
    """Returns the line of the last turn that the user chose; "" if it has none."""
    seats, entries = live.seats_of(user_id), live.entries
    own = (number for number in reversed(range(live.seq)) if entries[number].seat in seats)
    number = next((number for number in own if entries[number].kind is Kind.PLAY), None)
    return "" if number is None else entry_line(live, say, number)


def in_one(lines: list[str]) -> str:
    """Joins the lines into one text for alt texts, each ended like a sentence."""
    return " ".join(line if line.endswith((".", "!", "?", "…", ".)")) else f"{line}." for line in lines)


def entry_line(live: LiveGame, say: Language, number: int, *, dice: bool = False) -> str:
    """Returns the line of the entry with this number; "" if it needs none.

    ``dice``: whether the line of a turn includes its dice.
    """
    table = live.table
    entry, notes = table.record.entries[number], table.notes[number]
    if entry.kind is Kind.CHANCE:
        return "; ".join(map(say.note, notes))
    seat = "" if entry.seat == CHANCE else side_name(live, entry.seat, say)
    rolled = dice_of(table, number) if dice and entry.kind in TURN_KINDS else ""
    if entry.kind is Kind.FORCED and entry.body == table.game.pass_text:
        return say("story.pass_dice", seat=seat, dice=rolled) if rolled else say("story.pass", seat=seat)
    for note in notes[:1]:
        if (entry.kind, note.key) in WITHOUT_LINE:
            return ""
        for key in (f"story.{entry.kind}.{note.key}", f"story.{note.key}"):
            if say.has(key):
                return say(key, seat=seat, **note.params)
    if entry.kind in {Kind.OFFER, Kind.ACCEPT, Kind.DECLINE, Kind.WITHDRAW}:
        what, _, rest = entry.body.partition(" ")
        if what == TAKEBACK and entry.kind in {Kind.OFFER, Kind.ACCEPT}:
            asker = entry.seat if entry.kind is Kind.OFFER else 1 - entry.seat
            return takeback_text(live, say, f"story.{entry.kind}_takeback", asker, number, seat=seat)
        clock = clock_words.control(rest, say) if what == ADJOURN else ""
        return say(f"story.{entry.kind}_{what}", seat=seat, n=int(rest) if rest.isdecimal() else 0, clock=clock)
    if entry.kind is Kind.RESIGN and entry.body.endswith(f" {MATCH}"):
        return say("story.resign_match", seat=seat)
    if entry.kind in ABSENCE:
        return absence(entry, seat, table.record.header.started, say)
    if entry.kind is Kind.ADJUDICATE:
        return ruling(live, entry, say)
    if entry.kind is Kind.LEAVE:
        return say("story.leave", seat=seat)
    if entry.kind is Kind.CLAIM:
        return say(f"story.claim_{entry.body}", seat=seat)
    if entry.kind is Kind.TIMEOUT and live.clock is None:
        return say("story.absent", seat=seat, days=ABANDONED // DAY)
    if entry.kind is Kind.RESUME and entry.seat == CHANCE:
        return say("story.resume_due")
    if entry.kind is Kind.GIVE:
        given = clock_words.length(read_duration(entry.body), say)
        return say("story.give", seat=seat, other=side_name(live, 1 - entry.seat, say), time=given)
    told = table.game.told(entry.body, notes) if entry.kind in TURN_KINDS else ()
    does = [_told(note, say) for note in told]
    move = in_language(entry.body, say)
    if rolled:
        line = say(f"story.{entry.kind}_dice", seat=seat, move=move, dice=rolled)
    else:
        line = say(f"story.{entry.kind}", seat=seat, move=move)
    return say("story.does", line=line, does="; ".join(does)) if does else line


def _told(note: Note, say: Language) -> str:
    """Says what a turn did: in the words for a turn that is over, if the game has such words."""
    game, _, effect = note.key.partition(".does.")
    key = f"{game}.told.{effect}"
    return say(key, **note.params) if say.has(key) else say.note(note)


def ruling(live: LiveGame, entry: Entry, say: Language) -> str:
    """Describes a decision from outside: the winner, or the player who forfeits."""
    winner, reason = RULINGS[entry.body]
    if winner is None:
        return say(RULED[reason])
    return say(RULED[reason], seat=side_name(live, 1 - winner if reason == FORFEITED else winner, say))


def dice_of(table: Table[Any, Any], number: int) -> str:
    """Returns the dice of the turn in this entry, such as ``3-1``; "" if it had none."""
    line = effective_entries_of(table.record.entries[:number])
    if not line or line[-1].kind is not Kind.CHANCE:
        return ""
    return "-".join(sorted(line[-1].body.split(" ")[0], reverse=True))


def takeback_text(live: LiveGame, say: Language, key: str, asker: Seat, number: int, **given: str) -> str:
    """Writes the text of a takeback after ``number`` entries. It undoes the turn of ``asker`` and the replies to it."""
    game = live.game
    moves = [
        say(word) if say.has(word := f"{game.key}.word.{entry.body}") else in_language(entry.body, say)
        for entry in taken_back_entries(live.entries[:number], asker)
    ]
    if len(moves) == 1:
        return say(key, move=moves[0], **given)
    return say(f"{key}_reply", move=moves[0], reply=say.listed(f"`{move}`" for move in moves[1:]), **given)


def how_it_ended(reason: str, player: str, other: str, say: Language) -> str:
    """Says how ``player`` has won against ``other``, for example ``Ben resigned``."""
    key = f"how.{reason}"
    return say(key, player=player, other=other) if say.has(key) else say(reason)


def turns_made(table: Table[Any, Any], within: int | None = None) -> int:
    """Counts the turns played, of the first ``within`` entries if given. Cube actions do not count."""
    told = zip(table.record.entries[:within], table.notes[:within], strict=True)
    made = (notes for entry, notes in told if entry.kind in TURN_KINDS)
    return sum(not is_cube_action(notes) for notes in made)


def changes_in_place(live: LiveGame) -> bool:
    """Returns whether the present board is edited without a ping.

    It is if only the bot's own entries about time are new, or if the same player continues their turn.
    """
    noted = all(entry.kind in SYSTEM_KINDS for entry in live.unseen)
    return live.shown_seq >= 0 and not live.is_over and (noted or live.is_same_turn)


def concerns_offers(live: LiveGame) -> bool:
    """Returns whether the only new entry is an offer, its refusal or its withdrawal. The board is then edited."""
    new = [entry for entry in live.unseen if entry.kind not in SYSTEM_KINDS]
    return live.shown_seq >= 0 and not live.is_over and bool(new) and all(entry.kind in OFFER_KINDS for entry in new)


def shown_offer(live: LiveGame) -> Entry | None:
    """Returns the offer that is the newest entry of the board; None if the board ends with something else."""
    shown = [entry for entry in live.entries[: max(live.shown_seq, 0)] if entry.kind not in SYSTEM_KINDS]
    return shown[-1] if shown and shown[-1].kind is Kind.OFFER else None


def refuses(live: LiveGame) -> bool:
    """Returns whether the newest entry refuses or withdraws an offer. Such an entry pings nobody."""
    new = [entry for entry in live.unseen if entry.kind not in SYSTEM_KINDS]
    return bool(new) and new[-1].kind in {Kind.DECLINE, Kind.WITHDRAW}


def replies(live: LiveGame) -> bool:
    """Returns whether only a machine has acted since the last board, with the rolls and forced turns after it.

    The board of the person's turn is then edited to tell the reply, too.
    """
    person = live.person_against_machine
    if person is None or live.shown_seq < 0 or live.is_over:
        return False
    new = [entry for entry in live.unseen if entry.kind not in SYSTEM_KINDS]
    return bool(new) and not any(_is_chosen(entry, person) for entry in new)


def _is_chosen(entry: Entry, seat: Seat) -> bool:
    """Returns whether the seat's player chose the entry. The bot makes forced and automatic turns."""
    return entry.seat == seat and (entry.kind in CHOSEN_KINDS or entry.kind not in TURN_KINDS)


def edits_board(live: LiveGame) -> bool:
    """Returns whether the present board is edited instead of replaced."""
    return changes_in_place(live) or concerns_offers(live) or replies(live) or is_between_machines(live)


def is_between_machines(live: LiveGame) -> bool:
    """Returns whether two machines play. Nobody waits for their turns, so one board shows them all."""
    return live.shown_seq >= 0 and not live.is_over and all(map(is_machine, live.players))


def story_start(live: LiveGame) -> int:
    """Returns the number of the first entry that the message tells. A board edited in place repeats its
    earlier lines.
    """
    since = max(live.shown_seq, 0)
    if not edits_board(live):
        return since
    person = live.person_against_machine
    if person is not None and replies(live) and not concerns_offers(live):
        turns = (number for number in reversed(range(since)) if live.entries[number].kind in CHOSEN_KINDS)
        return next((number for number in turns if live.entries[number].seat == person), 0)
    entries, aside = live.entries, SYSTEM_KINDS | OFFER_KINDS
    played = [number for number, entry in enumerate(entries[:since]) if entry.kind not in aside]
    first = 0 if concerns_offers(live) else since
    return next((number for number in played if entries[number].at == entries[played[-1]].at), first)


def older_credits(live: LiveGame) -> frozenset[int]:
    """Returns the entries that give time back which a later entry gives back together with more."""
    newest = {interval(entry.body)[0]: number for number, entry in enumerate(live.entries) if entry.kind is Kind.CREDIT}
    given = (number for number, entry in enumerate(live.entries) if entry.kind is Kind.CREDIT)
    return frozenset(given) - set(newest.values())


def older_offers(live: LiveGame) -> frozenset[int]:
    """Returns the entries about offers that a newer offer has followed in the same turn."""
    older: set[int] = set()
    latest: list[int] = []
    for number, entry in enumerate(live.entries):
        if entry.kind is Kind.OFFER:
            older.update(latest)
            latest = [number]
        elif entry.kind in OFFER_KINDS:
            latest.append(number)
        elif entry.kind not in SYSTEM_KINDS:
            latest = []
    return frozenset(older)
