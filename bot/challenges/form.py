"""The form of a challenge: a private message with menus, ready to be posted. Its whole state is in the custom_ids."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Final

import discord

from bot.challenges import words
from bot.challenges.changing import completed, draft_of
from bot.challenges.proposal import (
    SEATS,
    TIMES,
    USUAL,
    Draft,
    Wishes,
    boards,
    clock_of,
    kinds,
    newcomer_defaults,
    propose,
    read_ratings,
    usual_points,
    write_ratings,
)
from bot.challenges.service import Challenge, ChallengeService
from bot.challenges.views import check_machine, check_readers, is_newcomer, limited, post, pressed, usual_clock
from bot.clocks import limits as time_limits
from bot.clocks import typed as typed_time
from bot.clocks import words as clock_words
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu, UserMenu, view_of
from bot.core.interactions.forms import Field, form_of
from bot.core.interactions.press import InvalidPress, Press, read_id, split
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.games.stored import Place
from bot.players.asker import offers_machine
from bot.players.machines import Machines, highest_of, is_machine, machine_title, plays_rated
from bot.players.mentions import mention
from bot.players.service import PreferenceService
from engine.core.errors import Refused
from engine.registry import GAMES, find

handlers: Final = Handlers()

ANYONE: Final = "anyone"
"""The subject of a form without an opponent. Otherwise the subject is the opponent's id."""


def opponent_of(answer: Answer, user_id: int, *, bot: bool) -> int:
    """Returns the opponent if this user is challenged; for this bot, it is the machine at its usual level.

    Raises Refused for the challenger, and for another ``bot``.
    """
    if user_id == answer.user_id:
        raise Refused("challenge.self")
    if user_id == answer.interaction.application_id:
        return answer.service(Machines).usual
    if bot:
        raise Refused("challenge.bot")
    return user_id


async def show(answer: Answer, opponent: int | None, game: str = next(iter(GAMES)), *, fresh: bool = True) -> None:
    """Opens the form with the usual choices. Raises Refused in direct messages, unless a machine is challenged."""
    check_readers(answer, opponent)
    await draw(answer, await usual(answer, game, opponent), opponent, fresh=fresh)


async def usual(answer: Answer, game: str, opponent: int | None) -> Draft:
    """Returns the usual choices of this challenger for a game against this opponent."""
    server = await _server(answer)
    clock = usual_clock(server, opponent)
    time = str(typed_time.PRESETS.index(clock)) if clock in typed_time.PRESETS else USUAL
    in_server, is_person = answer.interaction.guild_id is not None, not is_machine(opponent)
    rated = in_server and is_person and not await is_newcomer(answer)
    return Draft(game, "", await usual_kind(answer, game, clock, opponent), time, rated, "")


async def usual_kind(answer: Answer, game: str, clock: str, opponent: int | None) -> str:
    """Returns the kind of game, match or series that this challenger usually plays,
    by the letters of ``Draft.kind``.
    """
    points = usual_points(game, clock, opponent, newcomer=await is_newcomer(answer))
    return f"p{points}c" if points else "s"


async def draw(answer: Answer, draft: Draft, opponent: int | None, *, fresh: bool = False) -> None:
    """Shows the form: the text of the challenge, and the menus below it. The level is at most the game's highest."""
    server = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    changed = await _changed(answer, draft)
    if changed is not None:  # a change keeps the opponent
        opponent = changed.opponent
    if opponent is not None and is_machine(opponent):
        opponent = min(opponent, highest_of(draft.game))
    check_machine(answer, opponent, server)
    clock = clock_of(draft, server)
    say, wishes = answer.say, _wishes(draft, opponent, clock, changed)
    proposal = propose(wishes, clock, opponent, in_server=True)
    whom = say("challenge_form.anyone") if opponent is None else mention(opponent, say)
    if opponent is not None and is_machine(opponent):
        whom = machine_title(opponent, say)
    layout = words.layout_text(draft.game, {"layout": draft.layout or "standard"}, say)
    rated = proposal.rated and await answer.service(ChallengeService).may_rate(answer.user_id, opponent)
    simple = not is_machine(opponent) and draft.kind == "s" and not draft.rated and await is_newcomer(answer)
    defaults = newcomer_defaults(wishes, clock, opponent, in_form=True) if simple else []
    title = "machine" if is_machine(opponent) else "title" if changed is None else "change"
    lines = [
        say(
            f"challenge_form.{title}",
            game=find(draft.game).name,
            layout=layout,
            opponent=whom,
        ),
        words.stakes(draft.game, find(draft.game).settle_options(proposal.options), proposal.terms, say, rated=rated),
        *(limited(say) if proposal.rated and not rated else ()),
        *([say("challenge_form.newcomer")] if defaults else []),
        words.clock_line(proposal.clock, server["timeout_policy"], proposal.terms, say),
        *words.wanted(proposal.ratings, say),
    ]
    menus = _menus(draft, opponent, answer.service(Machines).levels_in(draft.game), server, say)
    items = (*menus, *_buttons(answer, draft, opponent, server))
    await answer.show("\n".join(lines), view=view_of(*items), fresh=fresh)


def _wishes(draft: Draft, opponent: int | None, clock: str, changed: Challenge | None) -> Wishes:
    wishes = draft.wishes if opponent is None else replace(draft.wishes, ratings=None)
    return wishes if changed is None else completed(wishes, clock, changed)


def _press(verb: str, draft: Draft, opponent: int | None) -> Press:
    return Press(verb, ANYONE if opponent is None else str(opponent), 0, str(draft))


def _menus(
    draft: Draft, opponent: int | None, levels: Sequence[int], server: Mapping[str, str], say: Language
) -> list[discord.ui.Item[Any]]:
    """Returns the menus of games, of matches and series, of times, and of opponents or the machine's levels."""
    games = [
        (f"{game.name}{words.layout_text(key, {'layout': one}, say)}", f"{key},{one}") for key, one, game in boards()
    ]
    chosen = f"{draft.game},{draft.layout or 'standard'}"
    offered = dict.fromkeys((*kinds(draft.game), draft.kind))
    matches = [(_kind(draft.game, kind, say), kind) for kind in offered]
    usual = time_limits.default_control(server)
    times = [(clock_words.control(clock, say), str(n), clock) for n, clock in enumerate(typed_time.PRESETS)]
    times += [] if usual in typed_time.PRESETS else [(clock_words.control(usual, say), USUAL, usual)]
    times += [] if draft.time in TIMES else [(clock_words.control(draft.time, say), draft.time, draft.time)]
    allowed = [
        (say("control.usual", control=name) if clock == usual else name, value)
        for name, value, clock in times
        if time_limits.allows(server, clock)
    ]
    against: list[discord.ui.Item[Any]] = []
    if is_machine(opponent):
        against = [level_menu(_press("form_level", draft, opponent), levels, opponent, say, row=3)]
    elif not draft.changes:
        press = _press("form_opponent", draft, opponent)
        against = [UserMenu(press, say("challenge_form.opponent"), opponent, row=3)]
    return [
        PressMenu(_press("form_game", draft, opponent), say("option.game.about"), _options(games, chosen), row=0),
        PressMenu(
            _press("form_kind", draft, opponent), say("challenge_form.kind"), _options(matches, draft.kind), row=1
        ),
        PressMenu(_press("form_time", draft, opponent), say("option.time.about"), _options(allowed, draft.time), row=2),
        *against,
    ]


def level_menu(press: Press, levels: Sequence[int], chosen: int | None, say: Language, row: int) -> PressMenu:
    rows = [(machine_title(level, say), str(level)) for level in levels]
    return PressMenu(press, say("option.level.about"), _options(rows, str(chosen)), row=row)


def _kind(game: str, kind: str, say: Language) -> str:
    proposal = propose(Draft(game, "", kind, USUAL, rated=False, ratings="").wishes, "", None, in_server=False)
    return words.played_for(game, find(game).settle_options(proposal.options), proposal.terms, say)


def _options(rows: list[tuple[str, str]], chosen: str) -> list[discord.SelectOption]:
    return [discord.SelectOption(label=name, value=value, default=value == chosen) for name, value in rows]


def _buttons(
    answer: Answer, draft: Draft, opponent: int | None, server: Mapping[str, str]
) -> list[discord.ui.Item[Any]]:
    """Returns the buttons: Post; rated or casual, and the ratings that may accept, in a server; the machine; the
    challenger's side.
    """
    say, verbs, in_server = answer.say, list[str](), answer.interaction.guild_id is not None
    if in_server and (draft.rated or not is_machine(opponent) or plays_rated(server)):
        verbs += ["form_casual" if draft.rated else "form_rated"]
    if in_server and (opponent is None or not draft.changes):
        verbs += ["form_ratings" if opponent is None else "form_anyone"]
    offers = not is_machine(opponent) and not draft.changes and offers_machine(answer, server)
    verbs += ["form_machine"] if offers else []
    side = say(f"seat.{find(draft.game).seats[int(draft.seat)]}") if draft.seat else say("challenge_form.drawn")
    done = "form_play" if is_machine(opponent) else "form_save" if draft.changes else "form_post"
    return [
        PressButton(_press("form_post", draft, opponent), say(f"button.{done}"), "good", row=4),
        *(PressButton(_press(verb, draft, opponent), say(f"button.{verb}"), row=4) for verb in verbs),
        PressButton(_press("form_side", draft, opponent), say("button.form_side", side=side), row=4),
    ]


# --- presses ---------------------------------------------------------------------------------------------------------


def _read(press: Press) -> tuple[Draft, int | None]:
    """Returns the form's state. Raises InvalidPress for a form of an earlier release."""
    opponent = None if press.subject == ANYONE else read_id(press.subject)
    return Draft.read(",".join(press.parts(len(fields(Draft)), ","))), opponent


async def _server(answer: Answer) -> Mapping[str, str]:
    return await answer.service(PreferenceService).of_server(answer.interaction.guild_id)


@handlers.on("form_game")
async def choose_game(answer: Answer, press: Press) -> None:
    """Chooses another game or layout, with its usual kind of match."""
    draft, opponent = _read(press)
    key, layout = split(press.value, 2, ",")
    game = find(key).key
    kind = draft.kind
    if game != draft.game:
        kind = await usual_kind(answer, game, clock_of(draft, await _server(answer)), opponent)
    layout = "" if layout == "standard" else layout
    await draw(answer, replace(draft, game=game, layout=layout, kind=kind), opponent)


@handlers.on("form_kind")
async def choose_kind(answer: Answer, press: Press) -> None:
    draft, opponent = _read(press)
    await draw(answer, replace(draft, kind=press.value), opponent)


@handlers.on("form_time")
async def choose_time(answer: Answer, press: Press) -> None:
    """Chooses another time control. A usual kind of match becomes the usual one for the new time control."""
    draft, opponent = _read(press)
    server, after = await _server(answer), replace(draft, time=press.value)
    if draft.kind == await usual_kind(answer, draft.game, clock_of(draft, server), opponent):
        after = replace(after, kind=await usual_kind(answer, draft.game, clock_of(after, server), opponent))
    await draw(answer, after, opponent)


@handlers.on("form_opponent")
async def choose_opponent(answer: Answer, press: Press) -> None:
    """Chooses another opponent, or none. If the user cannot be challenged, refuses and keeps the form."""
    draft, opponent = _read(press)
    chosen = None if press.value_or_none is None else read_id(press.value)
    refused: Refused | None = None
    try:
        if chosen is not None:
            chosen = _chosen(answer, chosen)
    except Refused as error:
        chosen, refused = opponent, error
    await draw(answer, await _for(answer, draft, opponent, chosen), chosen)
    if refused is not None:
        raise refused


async def _for(answer: Answer, draft: Draft, before: int | None, after: int | None) -> Draft:
    """Returns the draft for another opponent, with the usual choices if a machine comes or goes."""
    if is_machine(before) == is_machine(after):
        return draft
    usually = await usual(answer, draft.game, after)
    return replace(usually, layout=draft.layout, seat=draft.seat)


def _chosen(answer: Answer, user_id: int) -> int:
    """Returns the opponent if this user is chosen. Raises Refused for a user who cannot be challenged."""
    data: Any = answer.interaction.data
    user = data.get("resolved", {}).get("users", {}).get(str(user_id))
    if user is None:
        raise InvalidPress
    return opponent_of(answer, user_id, bot=user.get("bot", False))


@handlers.on("form_anyone")
async def choose_anyone(answer: Answer, press: Press) -> None:
    await draw(answer, await _for(answer, *_read(press), None), None)


@handlers.on("form_machine")
async def choose_machine(answer: Answer, press: Press) -> None:
    """Chooses the machine as the opponent, with the usual choices against it."""
    level = answer.service(Machines).usual
    await draw(answer, await _for(answer, *_read(press), level), level)


@handlers.on("form_level")
async def choose_level(answer: Answer, press: Press) -> None:
    draft, _ = _read(press)
    await draw(answer, draft, checked_level(read_id(press.value)))


def checked_level(level: int) -> int:
    """Returns the level. Raises InvalidPress if there is no such level."""
    if not is_machine(level):
        raise InvalidPress
    return level


@handlers.on("form_rated")
async def make_rated(answer: Answer, press: Press) -> None:
    draft, opponent = _read(press)
    await draw(answer, replace(draft, rated=True), opponent)


@handlers.on("form_casual")
async def make_casual(answer: Answer, press: Press) -> None:
    draft, opponent = _read(press)
    await draw(answer, replace(draft, rated=False), opponent)


@handlers.on("form_side")
async def change_side(answer: Answer, press: Press) -> None:
    """Chooses the next side in turn: drawn, the first seat, the second seat."""
    draft, opponent = _read(press)
    await draw(answer, replace(draft, seat=SEATS[(SEATS.index(draft.seat) + 1) % len(SEATS)]), opponent)


@handlers.on("form_ratings")
async def ask_ratings(answer: Answer, press: Press) -> None:
    """Opens the form for the ratings that may accept."""
    draft, opponent = _read(press)
    say = answer.say
    about = Field("ratings", say("option.rating"), draft.ratings, say("option.rating.about"), longest=20)
    await answer.form(form_of(_press("fill_ratings", draft, opponent), say("button.form_ratings"), (about,)))


@handlers.on("fill_ratings")
async def fill_ratings(answer: Answer, press: Press) -> None:
    draft, opponent = _read(press)
    ratings = write_ratings(read_ratings(press.field("ratings")))
    await draw(answer, replace(draft, ratings=ratings), opponent)


@handlers.on("form_post")
async def post_form(answer: Answer, press: Press) -> None:
    """Posts the challenge, or its replacement, and closes the form. A form posts only once, even if it is pressed
    again.
    """
    draft, opponent = _read(press)
    changed = await _changed(answer, draft)
    opponent = opponent if changed is None else changed.opponent
    message = answer.interaction.message
    form_id = None if message is None else f"{message.id:x}"
    clock = clock_of(draft, await _server(answer))
    wishes = _wishes(draft, opponent, clock, changed)
    await post(answer, wishes, opponent, typed_time.value(clock), form_id, changed)


@handlers.on("change_challenge")
async def change_challenge(answer: Answer, press: Press) -> None:
    """Opens the form with the user's own challenge in it."""
    await pressed(answer, press.subject)
    challenge = await answer.service(ChallengeService).own(press.subject, answer.user_id, "challenge.change_yours")
    await draw(answer, draft_of(challenge, await _server(answer)), challenge.opponent, fresh=True)


async def _changed(answer: Answer, draft: Draft) -> Challenge | None:
    """Returns the challenge that the form changes. Raises Refused if it can no longer be accepted."""
    if not draft.changes:
        return None
    challenge = await answer.service(ChallengeService).own(draft.changes, answer.user_id, "challenge.change_yours")
    here = Place(answer.interaction.guild_id, answer.interaction.channel_id or 0)
    if challenge.place != here or challenge.message_id is None or is_machine(challenge.opponent):
        raise InvalidPress
    return challenge
