"""A game's public message: the story, the status, the board, the buttons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Protocol

import discord

from bot.board import match as match_words
from bot.board import pictures
from bot.board.buttons import action_buttons, board_buttons
from bot.board.cube_actions import cube_actions, params
from bot.board.ratings import CASUAL, ShownRatings
from bot.board.story import (
    changes_in_place,
    edits_board,
    entry_line,
    how_it_ended,
    in_one,
    latest,
    older_credits,
    older_offers,
    refuses,
    seat_name,
    side_name,
    story,
    story_start,
    turns_made,
)
from bot.clocks import words as clock_words
from bot.core.interactions.components import view_of
from bot.core.messages import NOBODY
from bot.core.translations import CODES, Language, language
from bot.games.live import LiveGame
from bot.games.stored import Place
from bot.matches.service import LiveMatch
from bot.matches.tournament_names import Walkover
from bot.players.asker import spoken_language
from bot.players.machines import is_machine
from bot.players.mentions import capitalized, mention, named
from engine.core.chance import commitment
from engine.core.game import Seat
from engine.core.record import Kind
from engine.core.table import replay_tables
from engine.kits.cube import CubeAction
from engine.kits.cube import counts_points as options_count
from render.view import Card, View

CONTENT: Final = 2000
"""The most characters of a message."""
COMMITMENT_DIGITS: Final = 8
"""The hex digits of a commitment that are shown, to compare with the whole one in the record.

The challenge shows the whole commitment, which promises the secrets of all rolls (``engine.core.chance``). So a host
with two secrets that share eight digits would gain nothing.
"""
MOST_TOLD: Final = 10
"""The most lines of the story on a board. The record has all of it."""
TOLD_BY_STATUS: Final = frozenset({"end.resigned", "end.passed", "end.time"})
"""The reasons of an end that name the player and the act."""


@dataclass(frozen=True, slots=True)
class Message:
    content: str
    file: discord.File
    view: discord.ui.View
    mentions: discord.AllowedMentions
    ping: str
    """The text of the ping beside a board that is edited in place; empty for no ping."""
    ping_view: discord.ui.View
    """The buttons of that ping. They identify it: unlike a board, it has no More or Replay button."""
    closed: str = ""
    """The content once another board has followed: without the player to act."""

    def without_ping(self) -> "Message":
        return replace(self, mentions=NOBODY, ping="")


async def message(
    live: LiveGame,
    say: Language,
    reader: Mapping[str, str],
    theme: str,
    names: tuple[str, str],
    ratings: ShownRatings = CASUAL,
    match: LiveMatch | None = None,
    walkover: Walkover | None = None,
) -> Message:
    """Builds the message for the game's present ``seq``, in the server's ``theme``.

    The board is drawn for the awaited player, whose preferences ``reader`` holds. ``match`` and ``walkover`` are those
    of the game.
    """
    awaited = live.awaited_seat
    in_place = changes_in_place(live)
    below = public_below(live, reader["below"])
    story_lines = story(live, say, story_start(live), older_offers(live) | older_credits(live))
    ended_as = status(live, say, walkover if match is None else None)
    waits = [ended_as, *clock_words.lines(live, say)]
    seals = [seals_line(live, say)] if live.commitment and not live.is_over else []
    closing = [*waits, *seals]
    if ratings.note:
        closing.append(ratings.note)
    finished = match if live.is_over and match is not None and match.is_over else None
    before = match_words.last_game(match, say) if not live.is_over and not turns_made(live.table) else []
    # the status tells the end of the last game, so the list of games is needed only if there were more
    games = match_words.game_lines(finished, say) if finished is not None and finished.finished > 1 else []
    closing += [] if finished is None else [match_words.outcome(finished, say, walkover)]
    head = heading(live, say, ratings.beside, match)
    told = newest(without_vacations(live, without_status(live, story_lines, say), waits, say))
    lines = fitted(head, [*before, *told], closing)
    closed = "\n".join(fitted(head, [*before, *newest(story_lines)], seals))
    lines = fitted("\n".join(lines), games, []) if games else lines
    mentions = NOBODY
    if awaited is not None and not in_place:
        mentions = discord.AllowedMentions(
            everyone=False, roles=False, users=[discord.Object(live.players[awaited])], replied_user=False
        )
    known = (names[0] or seat_name(live, 0, say), names[1] or seat_name(live, 1, say))
    scored = [named(line, live.players, known) for line in match_words.score_lines(match, live, say)]
    happened = named(in_one([*before, *story_lines, *scored]), live.players, known)
    if not live.is_over:
        left = clock_words.frame(live, say)
        scores = match_words.scores(match, live)
        file = await pictures.board(live.table, below, say, theme, names, happened, left, ratings.beside, scores)
    elif finished is not None:
        swapped = finished.players != live.players
        by_player, rated = (pair[::-1] if swapped else pair for pair in (known, ratings.beside))
        shown = match_words.card(finished, live.game.name, by_player, rated, theme, say, walkover)
        told = [
            shown.title,
            *scored,
            shown.how,
            *(named(line, live.players, known) for line in match_words.game_lines(finished, say)),
        ]
        file = await pictures.match_card(shown, "\n".join(told))
    else:
        last = pictures.last_marks(live.table)
        view = View(below, theme, last, names=names, ratings=ratings.beside, over=True)
        ended = named(ended_as, live.players, known)
        card = result(live, say, known, scored, walkover if match is None else None)
        file = await pictures.card(live.table, view, card, say, f"{happened} {ended}")
    ping = status(live, say) if awaited is not None and not in_place else ""
    ping_view = view_of(*action_buttons(live, say)) if ping and not refuses(live) else view_of()
    buttons = board_buttons(live, say, again=match is None or match.is_over, flips=finished is None)
    return Message("\n".join(lines), file, view_of(*buttons), mentions, ping, ping_view, closed)


def as_shown(live: LiveGame) -> LiveGame:
    """Returns the game as the newest posted board shows it."""
    *_, table = islice(replay_tables(live.game, live.record), live.shown_seq + 1)
    return replace(live, table=table)


def closed(live: LiveGame, say: Language) -> str:
    """Returns the content of a replaced board whose first text is no longer known."""
    return "\n".join(fitted(heading(live, say), latest(live, say), []))


def without_status(live: LiveGame, lines: list[str], say: Language) -> list[str]:
    """Removes the lines that repeat the status: the double that it asks about, or the end."""
    if live.is_over:
        return [line for line in lines if line != ending_line(live, say)]
    actor = live.seat_to_act
    if actor is None or CubeAction.TAKE not in (actions := cube_actions(live.game, live.state)):
        return lines
    told = say(
        "story.cube.does.doubles",
        seat=side_name(live, 1 - actor, say),
        **params(live.game, live.state, actions[CubeAction.TAKE]),
    )
    return [line for line in lines if line != told]


def without_vacations(live: LiveGame, lines: list[str], waits: Sequence[str], say: Language) -> list[str]:
    """Removes the lines about vacations that ``waits`` shows, too."""
    told = {
        entry_line(live, say, number)
        for number, entry in enumerate(live.entries)
        if entry.kind is Kind.AWAY and clock_words.vacation_line(live, entry, say) in waits
    }
    return [line for line in lines if line not in told]


def ending_line(live: LiveGame, say: Language) -> str:
    """Returns the line of the entry that ended the game, if ``how_it_ended`` says the same; else ""."""
    outcome = live.outcome
    if outcome is None or outcome.winner is None or outcome.reason not in TOLD_BY_STATUS:
        return ""
    if live.entries[-1].kind is Kind.CONDITIONAL:
        return ""
    return entry_line(live, say, live.seq - 1)


def seals_line(live: LiveGame, say: Language) -> str:
    """Returns a short mark of the commitment to the next roll. The record has the whole commitment.

    A board that is edited after a roll keeps the mark of that roll, as the board before is gone.
    """
    marks = [live.commitment]
    if edits_board(live) and (kept := sealed_roll(live)):
        marks.insert(0, kept)
    return say("board.sealed", seal=" → ".join(f"`{mark[:COMMITMENT_DIGITS]}`" for mark in marks))


def sealed_roll(live: LiveGame) -> str:
    """Returns the commitment to the last roll; "" if there was no roll since the players were shown the board."""
    rolls = [entry for entry in live.unseen if entry.kind is Kind.CHANCE]
    secret = (rolls[-1].body.split(" ") if rolls else [])[1:2]
    return commitment(secret[0]) if secret else ""


def result(
    live: LiveGame,
    say: Language,
    names: tuple[str, str],
    more: Sequence[str] = (),
    walkover: Walkover | None = None,
) -> Card:
    """Returns the texts of the result card. ``more``: further facts, such as the score of the match.

    It shows the points where they matter, or else the score in the game's own units. Raises ValueError if the game is
    not over.
    """
    outcome = live.outcome
    if outcome is None:
        raise ValueError("the game goes on")
    winner, facts = outcome.winner, [say("card.turns", n=turns_made(live.table)), *more]
    if walkover is not None:
        seat = live.players.index(walkover.winner)
        return Card(seat, walkover.tournament, "", say("card.walkover", player=names[seat]), tuple(facts))
    if winner is None:
        return Card(None, live.game.name, "", capitalized(say(outcome.reason)), tuple(facts))
    how = capitalized(how_it_ended(outcome.reason, names[winner], names[1 - winner], say))
    shown = score(live, say)
    if counts_points(live):
        facts = [*facts[:1], *([shown] if shown else []), *facts[1:]]
        shown = say("card.points", n=abs(outcome.points[0]))
    return Card(winner, live.game.name, shown, how, tuple(facts))


def counts_points(live: LiveGame) -> bool:
    return options_count(live.table.options)


def score(live: LiveGame, say: Language) -> str:
    """Writes the score of a won game in its own units, the winner's first; "" if it has none."""
    outcome = live.outcome
    winner = None if outcome is None else outcome.winner
    note = None if winner is None else live.game.score(live.state, winner)
    return "" if note is None else say.note(note)


def newest(lines: list[str]) -> list[str]:
    """Keeps the last lines of the story, as the forced turns at the end of a game would fill a phone's screen."""
    return lines if len(lines) <= MOST_TOLD else ["…", *lines[-MOST_TOLD:]]


def fitted(first: str, middle: list[str], closing: list[str]) -> list[str]:
    """Fits the lines into a message. If they are too long, the first lines of ``middle`` are left out."""
    left = CONTENT - len("\n".join([first, *closing])) - len("\n…")
    kept: list[str] = []
    for line in reversed(middle):
        left -= len(line) + 1
        if left < 0:
            kept.append("…")
            break
        kept.append(line)
    return [first, *reversed(kept), *closing]


def heading(live: LiveGame, say: Language, ratings: tuple[str, str] = ("", ""), match: LiveMatch | None = None) -> str:
    """Writes ``**Backgammon** · White @Ana (1532) · Black @Ben (1488)``, and below it the score of a match.

    ``ratings`` are the texts behind the players' names.
    """
    first, second = (
        say(
            "board.seat",
            seat=seat_name(live, seat, say),
            player=f"{mention(live.players[seat], say)} {ratings[seat]}".rstrip(),
        )
        for seat in (0, 1)
    )
    players = say("board.heading", game=live.game.name, first=first, second=second)
    return "\n".join([players, *match_words.score_lines(match, live, say)])


def status(live: LiveGame, say: Language, walkover: Walkover | None = None) -> str:
    """Says whose turn it is, or how the game ended; with a ``walkover``, how it ended in its tournament."""
    outcome = live.outcome
    if outcome is None:
        awaited = live.awaited_seat
        player = mention(live.players[awaited or 0], say)
        if is_machine(live.awaited):
            return say("board.machine", player=player)
        if live.offer is None:
            return turn(live, player, say)
        return say("board.answer_or_play" if live.seat_to_act == awaited else "board.answer", player=player)
    if walkover is not None:
        return say("board.walkover", player=mention(walkover.winner, say), name=walkover.tournament)
    reason = say(outcome.reason)
    if not outcome.has_result:
        return say(f"board.{outcome.reason.removeprefix('end.')}")
    if outcome.winner is None:
        return say("board.drawn", reason=reason)
    player, other = (mention(live.players[seat], say) for seat in (outcome.winner, 1 - outcome.winner))
    how = how_it_ended(outcome.reason, player, other, say)
    line = say("board.won", player=player, how=how)
    if counts_points(live):
        line = say("board.won_points", player=player, how=how, n=abs(outcome.points[0]))
    shown = score(live, say)
    return f"{line} {shown}." if shown else line


def machine_away(live: LiveGame, say: Language) -> str:
    """Says that the awaited machine cannot play now. It replaces the ``status``."""
    return say("board.machine_away", player=mention(live.awaited or 0, say))


def status_for(live: LiveGame, user_id: int, say: Language) -> str:
    """Returns the status for a private board. If the user has an open offer, it says so instead."""
    if live.may_withdraw(user_id) and not live.may_answer(user_id):
        keys = ["offer.open", *(["offer.your_turn"] if live.is_turn_of(user_id) else [])]
        return " ".join(map(say, keys))
    return status(live, say)


def turn(live: LiveGame, player: str, say: Language) -> str:
    """Says whose turn it is, and which cube actions they have."""
    actions = cube_actions(live.game, live.state)
    first = next(iter(actions), "")
    key, actor = f"cube_action.turn.{first}", live.seat_to_act or 0
    if not first or not say.has(key):
        return say("board.turn", player=player)
    given = params(live.game, live.state, actions[first])
    return say(key, player=player, other=side_name(live, 1 - actor, say), **given)


def reader_of(live: LiveGame) -> int:
    """Returns the user for whom the public board is drawn."""
    return live.players[_reading_seat(live)]


def public_below(live: LiveGame, wish: str) -> Seat:
    """Returns the lower side of the public board, by the ``below`` preference of its reader."""
    return 0 if wish == "first" else _reading_seat(live)


def public_say(live: LiveGame, reader: Mapping[str, str]) -> Language:
    """Returns the language of the public board: that of the game; in direct messages that of its reader."""
    spoken = spoken_language(reader)
    return language(spoken if live.place.guild_id is None and spoken in CODES else live.locale)


def _reading_seat(live: LiveGame) -> Seat:
    """Returns the seat of the awaited player, or else the first seat; against a machine, the person's seat."""
    person = live.person_against_machine
    return (live.awaited_seat or 0) if person is None else person


def side_below(live: LiveGame, user_id: int, wish: str) -> Seat:
    """Returns the lower side of a private board, by the user's ``below`` preference.

    ``first``: always the first seat; ``own``: the user's own seat, if they play; ``mover``: the awaited player. In a
    game against a machine, the awaited player is always the person.
    """
    seats = live.seats_of(user_id)
    if wish == "first":
        return 0
    if seats and (wish == "own" or live.person_against_machine is not None):
        return seats[0]
    return live.awaited_seat or 0


class Placed(Protocol):
    """A game with its place and the message with its board."""

    @property
    def place(self) -> Place: ...
    @property
    def message_id(self) -> int | None: ...


def link(game: Placed) -> str:
    """Returns the address of the game's board, or that of its channel without a board."""
    place = f"https://discord.com/channels/{game.place.guild_id or '@me'}/{game.place.channel_id}"
    return f"{place}/{game.message_id}" if game.message_id else place
