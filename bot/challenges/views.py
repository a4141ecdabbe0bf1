"""A challenge's message with its Accept, Decline and Cancel buttons; rematches."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.board import message as board
from bot.board import pictures
from bot.board.buttons import board_buttons
from bot.board.delivery.permissions import check_place
from bot.board.delivery.publisher import BoardPublisher
from bot.challenges.proposal import Wishes, newcomer_defaults, propose
from bot.challenges.service import Challenge, ChallengeService
from bot.challenges.starting.views import Venue, check_room, start, venue_of, wants_thread
from bot.challenges.words import content, has_promise, newcomer_line, notes_on
from bot.clocks import limits as time_limits
from bot.clocks import typed as typed_time
from bot.core.discord_errors import REQUEST_ERRORS
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.messages import NOBODY
from bot.core.translations import Language, language
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.players.asker import check_machine_here, game_language
from bot.players.machines import Machines, highest_of, is_machine, plays_rated
from bot.players.service import PreferenceService
from engine.core.errors import Refused
from engine.registry import find

handlers: Final = Handlers()

FEW: Final = 3
"""The number of finished games below which a user is a newcomer."""
SUMMARY: Final = "summary"
"""The first topic of a game's rules."""
BOARD_PATIENCE: Final = 1.0
"""Seconds that the answer to Accept waits for the board, so that its button can lead to it."""

log = structlog.get_logger()


async def post(
    answer: Answer,
    wishes: Wishes,
    opponent: int | None = None,
    time: str | None = None,
    form_id: str | None = None,
    replaced: Challenge | None = None,
) -> None:
    """Posts a challenge to ``opponent``, or to anyone. ``time`` is as typed; None for the server's usual one.

    ``form_id``: that of the form, which is then closed; a form posts only once. The challenge takes over the message of
    the one that is ``replaced``. Raises RuleError for a place, options or a time control that the rules, the server or
    permissions do not allow.
    """
    check_readers(answer, opponent)
    check_place(answer)
    challenges: ChallengeService = answer.service(ChallengeService)
    guild_id = answer.interaction.guild_id
    server = await answer.service(PreferenceService).of_server(guild_id)
    check_machine(answer, opponent, server, wishes.game, rated=bool(wishes.rated))
    await check_room(answer, opponent, server)
    clock = usual_clock(server, opponent) if time is None else typed_time.readings(time)[0]
    time_limits.check_limit(server, clock)
    newcomer = not is_machine(opponent) and await is_newcomer(answer)
    proposal = propose(wishes, clock, opponent, in_server=guild_id is not None, newcomer=newcomer)
    rated = proposal.rated and await challenges.may_rate(answer.user_id, opponent)
    place = Place(guild_id, answer.interaction.channel_id or 0)
    pair = () if opponent is None else (answer.user_id, opponent)
    say = await game_language(answer, pair)
    game, options, terms = proposal.game, proposal.options, proposal.terms
    new = NewGame(game, options, place, say.code, clock, server["timeout_policy"], rated=rated)
    posted = await challenges.post(
        answer.user_id,
        opponent,
        new,
        terms=terms,
        ratings=proposal.ratings,
        seat=proposal.seat,
        challenge_id=form_id or f"{answer.interaction.id:x}",  # so a command that Discord delivers twice posts once
        replaced=replaced,
    )
    if form_id is not None:
        done = "begins" if is_machine(opponent) else "posted" if replaced is None else "changed"
        await answer.update(answer.say(f"challenge_form.{done}"))
    chosen = not newcomer or replaced is not None  # a user who changes a challenge has seen its terms
    defaults = [] if chosen else newcomer_defaults(wishes, clock, opponent, in_form=form_id is not None)
    notes = newcomer_line(defaults, say)
    notes += limited(say) if proposal.rated and not rated else []
    await publish(answer, posted, say, notes, changes=newcomer or replaced is not None)
    if replaced is not None:
        await challenges.closing_shown(replaced.id)


async def is_newcomer(answer: Answer) -> bool:
    """Returns whether the user has finished so few games that simple challenges are proposed."""
    return len(await answer.service(GameService).recent(answer.user_id, FEW)) < FEW


def limited(say: Language) -> list[str]:
    """Returns a line which says that the two have played enough rated games today."""
    return [say("challenge.casual_today")]


def check_readers(answer: Answer, opponent: int | None) -> None:
    """Raises Refused in direct messages, where nobody else reads a challenge, unless a machine is challenged."""
    if answer.interaction.guild_id is None and not is_machine(opponent):
        raise Refused("challenge.direct")


def check_machine(
    answer: Answer, opponent: int | None, server: Mapping[str, str], game: str | None = None, *, rated: bool = False
) -> None:
    """Raises Refused for a machine that does not play here, or not the ``game``, not with the user, or not
    ``rated``.
    """
    if is_machine(opponent):
        check_level(answer, opponent, game)
        check_machine_here(answer, server, rated=rated)


def check_level(answer: Answer, level: int | None, game: str | None) -> None:
    """Raises Refused for a level that does not play here, or does not play the ``game``."""
    machines = answer.service(Machines)
    if level not in machines.levels:
        raise Refused("challenge.machine_level", n=machines.highest) if machines.levels else Refused("machine.off")
    if game is not None and level not in machines.levels_in(game):
        raise Refused("challenge.game_level", game=find(game).name, n=highest_of(game))


def usual_clock(server: Mapping[str, str], opponent: int | None) -> str:
    """Returns the time control for users who name none: that of the server; none against a machine."""
    return "" if is_machine(opponent) else time_limits.default_control(server)


async def publish(
    answer: Answer, challenge: Challenge, say: Language, more: Sequence[str] = (), *, changes: bool = False
) -> None:
    """Sends the message of a new challenge, with ``more`` notes and a small picture of the start position.

    A machine accepts at once, so there the message only says what is played. A challenge that has taken over a message
    edits that one. ``changes`` adds a button that changes the challenge.

    Raises Refused if the message cannot be sent: then the challenge is cancelled. If the game against a machine cannot
    start, the machine declines.
    """
    notes = [*more, *await notes_on(answer.context, challenge, say)]
    server = await answer.service(PreferenceService).of_server(challenge.place.guild_id)
    files = []
    if not is_machine(challenge.opponent):  # the board of the game follows at once
        files = [await pictures.small_start(find(challenge.game), challenge.options, say, server["theme"])]
    text = content(challenge, say, notes)
    try:
        buttons = view(challenge, say, changes=changes)
        if challenge.message_id is not None:
            message = message_of(answer, challenge, challenge.message_id)
            await message.edit(content=text, attachments=files, view=buttons, allowed_mentions=NOBODY)
            return
        pinged = mentions(challenge) if await answer.service(ChallengeService).pings(challenge) else NOBODY
        message_id = await answer.public(text, buttons, pinged, files=files)
    except REQUEST_ERRORS as error:
        log.warning("challenge_not_posted", challenge=challenge.id, error=str(error))
        await answer.service(ChallengeService).cancel(challenge.id, challenge.challenger)
        raise Refused("challenge.not_posted") from error
    await answer.service(ChallengeService).posted(challenge.id, message_id)
    if challenge.opponent is not None and is_machine(challenge.opponent):
        try:
            message = message_of(answer, challenge, message_id)
            venue = await venue_of(answer)
            live = await start(venue, challenge.id, message, challenge.opponent)
        except Exception:
            with suppress(Refused):  # the challenge is closed already
                await answer.service(ChallengeService).decline(challenge.id, challenge.opponent)
            raise
        finally:
            answer.service(ChallengeService).wake()
        await tell_thread(answer, venue, live, server, challenge.opponent)


async def tell_thread(answer: Answer, venue: Venue, live: LiveGame, server: Mapping[str, str], opponent: int) -> None:
    """Tells the user that their game has begun in a thread."""
    here = answer.interaction.channel_id
    if live.place.channel_id != here and not wants_thread(venue, opponent, server):
        await answer.private(answer.say("challenge.in_thread", thread=f"<#{live.place.channel_id}>"))


def message_of(answer: Answer, challenge: Challenge, message_id: int) -> discord.PartialMessage:
    place = challenge.place
    channel = answer.context.client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
    return channel.get_partial_message(message_id)


async def pressed(answer: Answer, challenge_id: str) -> None:
    """Stores the pressed message as that of its challenge, unless one is stored."""
    challenges = answer.service(ChallengeService)
    message = answer.public_message
    if message is None or (await challenges.get(challenge_id)).message_id is not None:
        return
    await challenges.posted(challenge_id, message.id)
    challenges.wake()  # if the challenge is closed, its message must say so


def cancel_button(challenge_id: str) -> str:
    """Returns the custom_id of the Cancel button, which every open challenge has."""
    return f"b:{Press('cancel_challenge', challenge_id, 0)}"


@handlers.on("challenge_all")
async def challenge_all(answer: Answer, press: Press) -> None:
    """Challenges anyone here, with the usual choices of the game and the server."""
    await post(answer, Wishes(find(press.subject).key))


def view(challenge: Challenge, say: Language, *, changes: bool = False) -> discord.ui.View:
    """Returns the buttons of an open challenge: its answers, and help for users new to the game. ``changes`` adds a
    button that changes it.
    """
    verbs = [("accept_challenge", "good"), ("decline_challenge", "plain"), ("cancel_challenge", "plain")]
    if challenge.opponent is None:
        del verbs[1]
    elif is_machine(challenge.opponent):
        del verbs[:2]
    buttons = [PressButton(Press(verb, challenge.id, 0), say(f"button.{verb}"), style, row=0) for verb, style in verbs]
    if not is_machine(challenge.opponent):
        buttons += [
            PressButton(Press("rule", challenge.game, 0, SUMMARY), say("button.challenge_rules"), row=0),
            PressButton(Press("learn", challenge.game, 0), say("button.challenge_learn"), row=0),
        ]
    if changes:
        buttons.append(PressButton(Press("change_challenge", challenge.id, 0), say("button.change_challenge"), row=1))
    if has_promise(challenge):  # the custom_id holds the whole promise, and so makes it public
        promise = Press("promise", challenge.id, 0, challenge.commitment)
        buttons.append(PressButton(promise, say("button.promise"), row=1))
    return view_of(*buttons)


def to_board(live: LiveGame, say: Language) -> discord.ui.View:
    """Returns the button that leads to the game of an accepted challenge."""
    return view_of(discord.ui.Button(label=say("button.to_board"), url=board.link(live)))


@handlers.on("promise")
async def show_promise(answer: Answer, press: Press) -> None:
    """Shows the whole promise of the rolls, and how to check it."""
    challenge = await answer.service(ChallengeService).get(press.subject)
    await answer.private(answer.say("challenge.promise", seal=challenge.commitment))


def mentions(challenge: Challenge) -> discord.AllowedMentions:
    """Returns mentions that ping only the challenged user."""
    opponent = challenge.opponent
    users = [] if opponent is None or is_machine(opponent) else [discord.Object(opponent)]
    return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)


@handlers.on("accept_challenge")
async def accept_challenge(answer: Answer, press: Press) -> None:
    """Accepts a challenge and starts its game here,
    or in a thread if another game runs here or the server wants threads.
    """
    await pressed(answer, press.subject)
    venue = await venue_of(answer)
    live = await start(venue, press.subject, answer.interaction.message, answer.user_id)
    challenge = await answer.service(ChallengeService).get(press.subject)
    await answer.service(BoardPublisher).wait_until_posted(answer.user_id, BOARD_PATIENCE)
    live = await answer.service(GameService).get(live.id)
    await close(answer, press.subject, live)
    server = await answer.service(PreferenceService).of_server(challenge.place.guild_id)
    await tell_thread(answer, venue, live, server, answer.user_id)


def casual(challenge: Challenge, live: LiveGame, say: Language) -> list[str]:
    """Returns a line if the game of a rated challenge is not rated, with the reason: the daily limit, or a machine has
    accepted.
    """
    if not challenge.rated or live.record.header.rated:
        return []
    return [say("challenge.casual_machine")] if live.has_machine else limited(say)


@handlers.on("rematch")
async def rematch(answer: Answer, press: Press) -> None:
    """Offers the opponent the same game again with exchanged seats.

    If the opponent has offered a rematch in this channel already, it is accepted instead.
    """
    challenges = answer.service(ChallengeService)
    place = Place(answer.interaction.guild_id, answer.interaction.channel_id or 0)
    finished = await answer.service(GameService).newest(press.subject)
    players = finished.players
    opponent = next((player for player in players if player != answer.user_id), None)
    check_readers(answer, opponent)
    server = await answer.service(PreferenceService).of_server(place.guild_id)
    check_machine(answer, opponent, server, finished.game.key)
    await check_room(answer, opponent, server)
    say = await game_language(answer, players)
    rates = plays_rated(server) or not is_machine(opponent)
    try:
        challenge = await challenges.rematch(press.subject, answer.user_id, place, say.code, rates=rates)
    except Refused as refused:
        offered = await challenges.open_rematch(press.subject) if refused.key == "rematch.accept" else None
        if offered is None or offered.message_id is None or offered.place != place:
            raise
        await accept_rematch(answer, offered, offered.message_id)
        return
    limit_reached = finished.record.header.rated and rates and not challenge.rated
    await publish(answer, challenge, say, limited(say) if limit_reached else [])


async def accept_rematch(answer: Answer, challenge: Challenge, message_id: int) -> None:
    """Starts the rematch that the opponent has offered. The challenge's message is edited soon after."""
    message = message_of(answer, challenge, message_id)
    live = await start(await venue_of(answer), challenge.id, message, answer.user_id)
    text = "\n".join([*casual(challenge, live, answer.say), answer.say("rematch.begins")])
    await answer.private(text, view=to_board(live, answer.say))
    answer.service(ChallengeService).wake()


@handlers.on("decline_challenge")
async def decline_challenge(answer: Answer, press: Press) -> None:
    await pressed(answer, press.subject)
    await answer.service(ChallengeService).decline(press.subject, answer.user_id)
    await close(answer, press.subject)


@handlers.on("cancel_challenge")
async def cancel_challenge(answer: Answer, press: Press) -> None:
    await pressed(answer, press.subject)
    await answer.service(ChallengeService).cancel(press.subject, answer.user_id)
    await close(answer, press.subject)


def closing(challenge: Challenge, say: Language, live: LiveGame | None) -> str:
    """Describes how a challenge ended. It is called rated only if its game ``live`` is."""
    more = [] if live is None else casual(challenge, live, say)
    return "\n".join([content(replace(challenge, rated=False) if more else challenge, say), *more])


async def close(answer: Answer, challenge_id: str, live: LiveGame | None = None) -> None:
    """Edits the message: it says how the challenge ended, and links to its game ``live`` if it was accepted."""
    challenge = await answer.service(ChallengeService).get(challenge_id)
    say = language(challenge.locale)
    closed = view_of() if live is None else to_board(live, say)
    await answer.update(closing(challenge, say, live), view=closed)
    try:
        await link_rematch(answer.context.client, answer.service(ChallengeService), challenge)
    except REQUEST_ERRORS as error:
        log.warning("card_not_changed", challenge=challenge_id, error=str(error))
        return  # the worker tries again
    await answer.service(ChallengeService).closing_shown(challenge_id)


async def link_rematch(client: discord.Client, challenges: ChallengeService, challenge: Challenge) -> None:
    """Links the result card of a finished game to its accepted rematch. Raises REQUEST_ERRORS."""
    if challenge.rematch_of is None or challenge.game_id is None:
        return
    finished = await challenges.games.get(challenge.rematch_of)
    if finished.message_id is None:
        return
    following = await challenges.games.get(challenge.game_id)
    place = finished.place
    say = language(challenge.locale if place.guild_id is None else finished.locale)
    # in the same channel link to the challenge, since board messages are replaced; elsewhere link to the thread
    beside = following.place == place
    rematch = board.link(replace(following, message_id=challenge.message_id if beside else None))
    channel = client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
    card = channel.get_partial_message(finished.message_id)
    await card.edit(view=view_of(*board_buttons(finished, say, rematch)))
