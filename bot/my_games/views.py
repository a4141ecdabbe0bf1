"""The games of a player: in order of need, with the time left, and a button from each to the next."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import discord

from bot.board import message as board
from bot.board import pictures, story
from bot.board.buttons import GameMenu, buttons_for
from bot.board.delivery.answers import is_the_board
from bot.board.delivery.publisher import BoardPublisher
from bot.board.match import pair_text
from bot.board.match import scores as match_scores
from bot.clocks import words as clock_words
from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.games.stored import RunningGame, UnreadableGame
from bot.matches.service import LiveMatch, MatchService
from bot.matches.tournament_names import TournamentNames
from bot.my_games.sections import GameListSections
from bot.players.asker import names_of, offers_machine
from bot.players.mentions import mention
from bot.players.service import PreferenceService
from engine.core.hours import DAY
from engine.core.timekeeping import ABANDONED
from engine.registry import find

handlers: Final = Handlers()

PER_PAGE: Final = 8
MINE, CLAIM, THEIRS, PAUSED = range(4)
"""The degrees of need, the highest first."""
WARNED_MS: Final = 10 * DAY
"""How long before a possible claim a game without a clock shows its time: from the first warning on."""


def need(game: RunningGame, user_id: int, now: int) -> int:
    """Returns MINE, CLAIM, THEIRS or PAUSED; ``now`` in ms since 1970."""
    if answers(game, user_id):
        return MINE
    if game.paused:
        return PAUSED
    if game.to_act == user_id:
        return MINE
    return CLAIM if game.may_claim(user_id, now) else THEIRS


def answers(game: RunningGame, user_id: int) -> bool:
    """Returns whether an offer of the opponent waits for the user's answer."""
    return game.offered and game.awaited == user_id


def sorted_by_need(running: Sequence[RunningGame], user_id: int, now: int) -> list[RunningGame]:
    """Sorts the games by need; for equal need the least time left first, then the longest without a move."""

    def key(game: RunningGame) -> tuple[int, bool, int, bool, str]:
        moment = next(at for at in (game.due, game.claimable_at, game.last_entry_at) if at is not None)
        return need(game, user_id, now), game.due is None, moment, game.to_act != user_id, game.id

    return sorted(running, key=key)


async def running_games(context: Context, user_id: int) -> list[RunningGame]:
    """Returns the user's running games in order of need. Games with an unreadable record are left out."""
    games = context.services[GameService]
    running = [game for game in await games.of(user_id) if not games.is_unreadable(game.id)]
    return sorted_by_need(running, user_id, context.services.now())


async def _unreadable(answer: Answer) -> list[str]:
    """Returns a line that names the user's unreadable running games; [] if there are none."""
    games = answer.service(GameService)
    found = [game.id for game in await games.of(answer.user_id) if games.is_unreadable(game.id)]
    return [answer.say("games.unreadable", n=len(found), games=answer.say.listed(found))] if found else []


async def _with_checked_claims(
    answer: Answer, shown: Callable[[list[RunningGame]], list[RunningGame]]
) -> list[RunningGame]:
    """Returns the user's running games in order of need. For the games that ``shown`` selects, claims are checked.

    Without a clock, time off may forbid a claim, and the game's row does not have all of it. A tick of the game records
    it.
    """
    checked: set[str] = set()
    while True:
        running = await running_games(answer.context, answer.user_id)
        unsure = [
            game.id
            for game in shown(running)
            if game.time_left is None
            and not game.overdue
            and need(game, answer.user_id, answer.now) == CLAIM
            and game.id not in checked
        ]
        if not unsure or len(checked) > PER_PAGE:
            return running
        for game_id in unsure:
            with suppress(UnreadableGame):  # from now on it is left out
                await answer.service(GameService).tick(game_id)
        checked.update(unsure)


# --- the list --------------------------------------------------------------------------------------------------------


async def show_list(answer: Answer, page: int, *, fresh: bool) -> None:
    say, now = answer.say, answer.now

    def shown(running: list[RunningGame]) -> list[RunningGame]:
        return running[min(page, _last_page(running)) * PER_PAGE :][:PER_PAGE]

    running = await _with_checked_claims(answer, shown)
    last = _last_page(running)
    page = min(page, last)
    lines = [say("games.some", n=len(running)) if running else say("games.none")]
    matches = await answer.service(MatchService).several([game.match_id for game in shown(running)])
    cups = await answer.service(TournamentNames).several(shown(running))
    lines += [
        line(game, answer.user_id, now, say, matches.get(game.match_id), cups[game.id]) for game in shown(running)
    ]
    lines += [] if page else await answer.service(GameListSections).lines(answer.context.services, answer.user_id, say)
    items: list[discord.ui.Item[Any]] = []
    lines += await _unreadable(answer)
    if last:
        lines.append(say("games.page", number=page + 1, last=last + 1))
        items += [
            _page_button(page - 1, "back", say, enabled=page > 0),
            _page_button(page + 1, "forward", say, enabled=page < last),
        ]
    if not running:
        items += await begin_buttons(answer)
    waiting = sum(need(game, answer.user_id, now) <= CLAIM for game in running)
    if waiting:
        items.append(_next_button("", waiting, say))
    if await answer.service(GameService).recent(answer.user_id, 1):
        items.append(PressButton(Press("finished", "me", 0), say("button.finished")))
    view = view_of(*items) if items else None
    while len(text := "\n".join(lines)) > board.CONTENT:
        lines.pop()
    await answer.show(text, view=view, fresh=fresh)


async def begin_buttons(answer: Answer) -> list[PressButton]:
    """Returns the buttons of an empty list, to begin a game."""
    found = await machine_button(answer)
    if answer.interaction.guild_id is not None:
        style = "plain" if found else "primary"
        found.append(PressButton(Press("welcome_challenge", "me", 0), answer.say("button.begin_challenge"), style))
    return found


async def machine_button(answer: Answer, *, learnt: str = "", row: int | None = None) -> list[PressButton]:
    """Returns the button to play the machine; [] where the user may not. ``learnt``: the key of the game that the user
    has just learnt, which is then proposed.
    """
    server = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    if not offers_machine(answer, server):
        return []
    return [PressButton(Press("machine", learnt or "me", 0), answer.say("button.machine"), "primary", row=row)]


def _last_page(running: Sequence[RunningGame]) -> int:
    return max(0, len(running) - 1) // PER_PAGE


def _page_button(page: int, verb: str, say: Language, *, enabled: bool) -> PressButton:
    return PressButton(Press("games", "me", max(page, 0), verb), say(f"button.{verb}"), disabled=not enabled)


@handlers.on("games")
async def turn_page(answer: Answer, press: Press) -> None:
    """Shows another page of the list, with its present content."""
    await show_list(answer, press.seq, fresh=False)


def line(
    game: RunningGame, user_id: int, now: int, say: Language, match: LiveMatch | None = None, tournament: str = ""
) -> str:
    """Writes a line of the list, such as ``**Your turn** · Abalone against @Ben · ⏳ in 3 hours``, linked to the board.

    ``match`` and ``tournament`` are those of the game, the second by its name.
    """
    other = next((player for player in game.players if player != user_id), user_id)
    key = ("games.your_turn", "games.claim", "games.their_turn", "games.paused")[need(game, user_id, now)]
    if answers(game, user_id) and game.to_act != user_id:
        key = "games.your_answer"
    name = find(game.game).name
    shown = name if game.stands_still else f"[{name}]({board.link(game)})"
    whose = say(key, game=shown, opponent=mention(other, say))
    part_of = [say("games.tournament", name=tournament)] if tournament else []
    parts = [
        whose,
        *part_of,
        *_offer(game, user_id, say),
        *_match_score(match, user_id, say),
        *time_left(game, now, say),
    ]
    return " · ".join(parts)


def _offer(game: RunningGame, user_id: int, say: Language) -> list[str]:
    """Returns a line about an open offer, of the opponent or the user; [] without one."""
    if not game.offered:
        return []
    return [say("games.offer_theirs" if answers(game, user_id) else "games.offer_yours")]


def _match_score(match: LiveMatch | None, user_id: int, say: Language) -> list[str]:
    """Returns the score of the match, the user's own points first; [] for a single game."""
    if match is None:
        return []
    own, other = match.scores_by_seat(match.players if match.players[0] == user_id else match.players[::-1])
    score = pair_text(own, other)
    if match.terms.points:
        return [say("games.match_points", points=match.terms.points, score=score)]
    return [say("games.match_series", number=match.finished + 1, games=match.terms.best_of, score=score)]


def time_left(game: RunningGame, now: int, say: Language) -> list[str]:
    """Returns the time of the player to act: the deadline, and why the clock is stopped, if it is."""
    if game.stands_still:
        return [say("games.no_channel")]
    if game.time_left is None:
        return _until_claim(game, now, say)
    if game.paused:
        return [say("games.left", left=clock_words.length(game.time_left, say))]
    if game.overdue:
        return [say("games.time_up")]
    if game.due is None:
        return []
    return [say("games.until", relative=clock_words.stamp(game.due, "R")), *clock_stopped(game, now, say)]


def _until_claim(game: RunningGame, now: int, say: Language) -> list[str]:
    """Returns the time from which the waiting player may claim a game without a clock, after the first warning."""
    if game.claimable_at is None or now < game.claimable_at - WARNED_MS:
        return []
    if game.overdue or now >= game.claimable_at:
        return [say("games.absent", days=ABANDONED // DAY)]
    return [say("games.claimable", relative=clock_words.stamp(game.claimable_at, "R"))]


def clock_stopped(game: RunningGame, now: int, say: Language) -> list[str]:
    """Returns the time off that stops the clock at the moment; [] if it runs."""
    if any(since <= now < until for since, until in game.away):
        return [say("games.away")]
    return [say("games.stands")] if game.clock_stopped(now) else []


# --- the next game ---------------------------------------------------------------------------------------------------


def _next_button(after: str, waiting: int, say: Language) -> PressButton:
    """Returns the button ``Next game (2 waiting)``. ``after``: the id of the game before the next one."""
    return PressButton(Press("next", "me", 0, after), say("button.next_game", n=waiting), "primary")


@handlers.on("next")
async def open_next(answer: Answer, press: Press) -> None:
    """Shows the game after the one in the button, in place of the previous answer."""
    await show_next(answer, press.rest, fresh=False)


async def show_next(answer: Answer, after: str, *, fresh: bool) -> None:
    """Shows the next game in order of need, with its action buttons.

    ``after``: the id of the game before it. The first game follows the last one.
    """
    say, now = answer.say, answer.now

    def waiting(running: list[RunningGame]) -> list[RunningGame]:
        return [game for game in running if need(game, answer.user_id, now) <= CLAIM]

    def chosen(running: list[RunningGame]) -> list[RunningGame]:
        ids = [game.id for game in waiting(running)]
        number = (ids.index(after) + 1) % len(ids) if after in ids else 0
        return waiting(running)[number:][:1]

    running = await _with_checked_claims(answer, chosen)
    if not (found := chosen(running)):
        lines = [say("next.none")]
        due = clock_words.least(game.due for game in running if not game.stands_still)
        if due is not None:
            lines.append(say("next.due", relative=clock_words.stamp(due, "R")))
        lines += await _unreadable(answer)
        items = [] if running else await begin_buttons(answer)
        await answer.show("\n".join(lines), view=view_of(*items) if items else None, fresh=fresh)
        return
    try:
        live = await answer.service(GameService).newest(found[0].id)
    except UnreadableGame:  # it is left out now; the next one follows
        await show_next(answer, after, fresh=fresh)
        return
    names, below = await names_of(answer, live.players), board.side_below(live, answer.user_id, answer.prefs["below"])
    still = found[0].stands_still
    left = clock_words.Frame() if still else clock_words.frame(live, say, now - live.started)
    happened = story.latest(live, say)
    match = await answer.service(MatchService).of(live)
    scores = match_scores(match, live)
    told = story.in_one(happened)
    file = await pictures.board(live.table, below, say, answer.theme, names, told, left, scores=scores)
    lines = [board.heading(live, say, match=match), *board.without_status(live, happened, say)]
    lines += [
        board.status_for(live, answer.user_id, say),
        *([] if still else [*clock_words.lines(live, say, now), *clock_stopped(found[0], now, say)]),
        *await _unreadable(answer),
        say("games.no_channel") if still else board.link(live),
    ]
    actions = buttons_for(live, answer.user_id, say)
    if len(waiting(running)) > 1:
        skip = PressButton(Press("next", "me", 0, live.id), say("button.skip_game"), row=1)
        actions.append(skip)
    content, view = "\n".join(board.fitted(lines[0], lines[1:-1], lines[-1:])), view_of(*actions)
    await answer.show(content, files=[file], view=view, fresh=fresh)


# --- after a move ----------------------------------------------------------------------------------------------------


def goes_on_soon(live: LiveGame) -> bool:
    """Returns whether the next turn comes within moments: it is a machine's, or the clock is live. Then the
    user stays.
    """
    is_live = live.clock is not None and live.clock.spec.live
    return not live.is_over and (live.has_machine or is_live)


async def after_move(answer: Answer, after: LiveGame, *, fresh: bool) -> None:
    """Answers a move: shows the turn, and the way to the next game.

    If no other game waits, or this one goes on soon, the answer is deleted. A ``fresh`` answer, to a command or to a
    button of the board, becomes the board itself if possible, and otherwise stays silent. If the board is in another
    channel, the answer links to it.
    """
    here = answer.interaction.channel_id == after.place.channel_id
    answered = fresh and here and await is_the_board(answer.service(BoardPublisher).offer(answer, after))
    waiting = 0
    if not goes_on_soon(after):
        waiting = await answer.service(GameService).waiting(answer.user_id, excluded_id=after.id)
    played = story.in_one([story.played_by(after, answer.user_id, answer.say) or answer.say("next.done")])
    if not waiting:
        if not here:
            await answer.show(answer.say("next.played", played=played, link=board.link(after)), fresh=fresh)
        elif not answered:
            await answer.done()
        return
    items = [_next_button(after.id, waiting, answer.say)]
    items += answer.service(GameMenu).buttons(after, answer.user_id, answer.say)
    await answer.show(f"{played}\n{answer.say('next.waiting', n=waiting)}", view=view_of(*items), fresh=fresh)
