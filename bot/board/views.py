"""The private board: as it is now, as text, or from the other side."""

from typing import Final

from bot.board import match as match_words
from bot.board import pictures
from bot.board.access import require_access
from bot.board.buttons import buttons_for
from bot.board.message import (
    fitted,
    heading,
    link,
    public_below,
    reader_of,
    side_below,
    status,
    status_for,
    without_status,
)
from bot.board.ratings import shown_ratings
from bot.board.story import in_one, latest
from bot.clocks import words as clock_words
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press, read_number
from bot.core.interactions.routing import Handlers
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.matches.service import MatchService
from bot.players.asker import names_of
from bot.players.service import PreferenceService
from engine.core.errors import Refused
from engine.core.game import Seat
from render.view import View

handlers: Final = Handlers()


async def current(answer: Answer, press: Press) -> LiveGame | None:
    """Returns the game, if it is the user's turn and the position is still the one that they saw.

    Otherwise shows the present board with the reason, and returns None. Raises Refused for users who do not play.
    """
    live = await answer.service(GameService).get(press.subject, press.seq)
    if not live.seats_of(answer.user_id):
        raise Refused("table.not_a_player")
    if live.is_over:
        key = "table.over"
    elif not live.is_turn_of(answer.user_id):
        key = "table.not_your_turn"
    elif not live.still_stands(press.seq):
        key = "table.stale"
    else:
        return live
    await show_present(answer, live, answer.say(key))
    return None


async def show_present(answer: Answer, live: LiveGame, reason: str) -> None:
    """Shows the present board in private, with the reason and with the action buttons of the user."""
    below, names = side_below(live, answer.user_id, answer.prefs["below"]), await names_of(answer, live.players)
    left = clock_words.frame(live, answer.say, answer.now - live.started)
    happened = in_one(latest(live, answer.say))
    match = await answer.service(MatchService).of(live)
    ratings = (await shown_ratings(answer.context.services, live, answer.say)).beside
    scores = match_words.scores(match, live)
    file = await pictures.board(live.table, below, answer.say, answer.theme, names, happened, left, ratings, scores)
    lines = [
        reason,
        *match_words.score_lines(match, live, answer.say),
        status_for(live, answer.user_id, answer.say),
        *clock_words.lines(live, answer.say, answer.now),
        link(live),
    ]
    content = "\n".join(lines)
    items = buttons_for(live, answer.user_id, answer.say)
    await answer.private(content, files=[file], view=view_of(*items) if items else None)


async def show(answer: Answer, live: LiveGame, below: Seat, *, words: bool) -> None:
    """Shows the board in private: as a picture, or in words for users who cannot see it."""
    say = answer.say
    happened, closing = (
        latest(live, say),
        [status_for(live, answer.user_id, say), *clock_words.lines(live, say, answer.now), link(live)],
    )
    items = buttons_for(live, answer.user_id, say)
    action_view = view_of(*items) if items else None
    match = await answer.service(MatchService).of(live)
    ratings = (await shown_ratings(answer.context.services, live, say)).beside
    head = heading(live, say, ratings, match)
    if words:
        names = await names_of(answer, live.players)
        view = View(below=below, last=pictures.last_marks(live.table), names=names, over=live.is_over)
        closing.append(pictures.in_words(live.table, view, say))
        told = without_status(live, happened, say)
        await answer.private("\n".join(fitted(head, told, closing)), view=action_view)
        return
    left = clock_words.frame(live, say, answer.now - live.started)
    names, scores = await names_of(answer, live.players), match_words.scores(match, live)
    story = in_one(happened)
    file = await pictures.board(live.table, below, say, answer.theme, names, story, left, ratings, scores)
    await answer.private("\n".join([head, *closing]), files=[file], view=action_view)


@handlers.on("flip")
async def flip(answer: Answer, press: Press) -> None:
    """Shows the present board in private from the other side. Another press of Flip turns it back."""
    live = await answer.service(GameService).get(press.subject)
    await require_access(answer, live)
    reader = await answer.service(PreferenceService).of_user(reader_of(live))
    below = 1 - (read_number(press.rest, 1) if press.rest else public_below(live, reader["below"]))
    left = clock_words.frame(live, answer.say, answer.now - live.started)
    names = await names_of(answer, live.players)
    happened = in_one(latest(live, answer.say))
    ratings = (await shown_ratings(answer.context.services, live, answer.say)).beside
    scores = match_words.scores(await answer.service(MatchService).of(live), live)
    file = await pictures.board(live.table, below, answer.say, answer.theme, names, happened, left, ratings, scores)
    again = PressButton(Press("flip", live.id, press.seq, str(below)), answer.say("button.flip"))
    if press.rest:
        await answer.update(status(live, answer.say), files=[file], view=view_of(again))
    else:
        await answer.private(status(live, answer.say), files=[file], view=view_of(again))


@handlers.on("words")
async def in_words(answer: Answer, press: Press) -> None:
    live = await answer.service(GameService).get(press.subject)
    await require_access(answer, live)
    below = side_below(live, answer.user_id, answer.prefs["below"])
    await show(answer, live, below, words=True)
