"""A challenge's message with its Accept, Decline and Cancel buttons; rematches."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.board import message as board
from bot.board.buttons import board_buttons
from bot.board.delivery.permissions import check_place
from bot.challenges.service import Challenge, ChallengeService
from bot.clocks import limits as time_limits
from bot.clocks import typed as typed_time
from bot.clocks import words as clock_words
from bot.clocks.time_off import hours_of
from bot.clocks.vacations.service import VacationService
from bot.core.cancellation import finish_despite_cancellation
from bot.core.discord_errors import REQUEST_ERRORS, THREAD_EXISTS
from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language, language
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.players.asker import names_of, public_language
from bot.players.mentions import mention
from bot.players.service import PreferenceService
from engine.core.clock import TimeControl
from engine.core.errors import Refused
from engine.core.game import OptionValue
from engine.kits.cube import ON
from engine.registry import find

handlers: Final = Handlers()

NAME_LENGTH: Final = 100

log = structlog.get_logger()


async def post(
    answer: Answer,
    game: str,
    opponent: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    time: str | None = None,
) -> None:
    """Posts a challenge to ``opponent``, or to anyone. ``time`` as it was typed; None: the server's usual one.

    Raises RuleError for a place, options or a time control that the rules, the server or permissions do not allow.
    """
    check_place(answer)
    challenges: ChallengeService = answer.service(ChallengeService)
    server = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    clock = time_limits.default_control(server) if time is None else typed_time.readings(time)[0]
    time_limits.check_limit(server, clock)
    place = Place(answer.interaction.guild_id, answer.interaction.channel_id or 0)
    say = await public_language(answer)
    posted = await challenges.post(
        answer.user_id, opponent, game, dict(options or {}), place, say.code, clock, server["timeout_policy"]
    )
    off = await time_off(answer.context, posted, say)
    message_id = await answer.public(content(posted, say, off), view(posted, say), mentions(posted))
    await challenges.posted(posted.id, message_id)


@handlers.on("challenge_all")
async def challenge_all(answer: Answer, press: Press) -> None:
    """Challenges anyone here, with the usual options and time control."""
    await post(answer, find(press.subject).key)


def content(challenge: Challenge, say: Language, off: Sequence[str] = ()) -> str:
    """What is offered and to whom, or how it ended. ``off``: when the players' clocks will stop (``time_off``)."""
    game = find(challenge.game)
    params = {
        "challenger": mention(challenge.challenger, say),
        "game": game.name,
        "layout": layout_text(challenge, say),
    }
    key = "challenge.open" if challenge.opponent is None else "challenge.to"
    opponent = "" if challenge.opponent is None else mention(challenge.opponent, say)
    lines = [say(key, **params, opponent=opponent)]
    if challenge.clock:
        time = clock_words.control(challenge.clock, say)
        lines.append(
            say("challenge.clock", time=time, then=say(f"challenge.timeout_policy.{challenge.timeout_policy}"))
        )
    else:
        lines.append(say("challenge.no_clock"))
    if challenge.status == "open":
        lines += off
        lines.append(say("challenge.expires", when=f"<t:{challenge.expires // 1000}:R>"))
    else:
        who = challenge.answered_by or challenge.challenger
        lines.append(say(f"challenge.{challenge.status}", player=mention(who, say)))
    return "\n".join(lines)


async def time_off(context: Context, challenge: Challenge, say: Language) -> list[str]:
    """When the clocks of the known players would stop, to be shown before anybody accepts."""
    if not challenge.clock or TimeControl.parse(challenge.clock).live:
        return []
    services, now = context.services, context.services.now()
    lines: list[str] = []
    server = await services[PreferenceService].of_server(challenge.place.guild_id)
    for user_id in (challenge.challenger, challenge.opponent):
        if user_id is None:
            continue
        chosen = await services[PreferenceService].of_user(user_id)
        vacations = await services[VacationService].counted_intervals(user_id, int(server["vacation"]))
        hours = hours_of(chosen, now, now)
        lines += clock_words.off_lines(mention(user_id, say), hours, chosen["weekend"], vacations, now, say)
    return lines


def layout_text(challenge: Challenge, say: Language) -> str:
    """``(Nackgammon, with the doubling cube)``: the options that are not the default."""
    layout = challenge.options.get("layout", "standard")
    parts = [] if layout == "standard" else [say(f"{challenge.game}.layout.{layout}")]
    parts += [say("challenge.cube")] if challenge.options.get("cube") == ON else []
    return say("challenge.layout", layout=", ".join(parts)) if parts else ""


def cube_options(game: str, cube: str | None) -> dict[str, OptionValue]:
    """The cube option, if it is given. Raises Refused for a game without a cube."""
    if cube is None:
        return {}
    rules = find(game)
    if any(option.key == "cube" for option in rules.options):
        return {"cube": cube}
    if cube == ON:
        raise Refused("challenge.no_cube", game=rules.name)
    return {}


def view(challenge: Challenge, say: Language) -> discord.ui.View:
    """The challenge's buttons while it is open."""
    if challenge.status != "open":
        return discord.ui.View()
    named = challenge.opponent is not None
    verbs = (
        ("accept_challenge", "good"),
        *((("decline_challenge", "plain"),) if named else ()),
        ("cancel_challenge", "plain"),
    )
    return view_of(*(PressButton(Press(verb, challenge.id, 0), say(f"button.{verb}"), style) for verb, style in verbs))


def mentions(challenge: Challenge) -> discord.AllowedMentions:
    """Pings only the challenged user."""
    users = [] if challenge.opponent is None else [discord.Object(challenge.opponent)]
    return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)


@handlers.on("accept_challenge")
async def accept_challenge(answer: Answer, press: Press) -> None:
    """Accepts: the game starts here, or in a thread if another game runs here or the server wants threads."""
    live = await start(answer, press.subject, answer.interaction.message)
    await close(answer, press.subject, after=board.link(live))


async def start(
    answer: Answer, challenge_id: str, message: discord.Message | discord.PartialMessage | None
) -> LiveGame:
    """Starts the game of a challenge that the user accepts; ``message`` shows the challenge. Raises Refused."""
    challenges = answer.service(ChallengeService)
    challenge = await challenges.check_acceptable(challenge_id, answer.user_id)
    check_place(answer)
    server = await answer.service(PreferenceService).of_server(challenge.place.guild_id)
    apart = server["threads"] == "always" and not isinstance(answer.interaction.channel, discord.Thread)
    if not apart and await answer.service(GameService).at(challenge.place.channel_id) is None:
        try:
            return await challenges.accept(challenge_id, answer.user_id, challenge.place)
        except Refused as refused:
            if refused.key != "place.taken":  # another game has started here just now
                raise
    try:
        place = await open_thread(answer, challenge, message)
        return await challenges.accept(challenge_id, answer.user_id, place)
    except BaseException:  # also when cancelled: others may accept at once
        await finish_despite_cancellation(challenges.release(challenge_id, answer.user_id))
        raise


async def open_thread(
    answer: Answer, challenge: Challenge, message: discord.Message | discord.PartialMessage | None
) -> Place:
    """Opens a thread on the challenge's message; a second attempt finds the thread of the first. Raises Refused.

    It first reserves the challenge for the user, so that no thread is left without a game.
    """
    if message is None or isinstance(answer.interaction.channel, discord.Thread):
        raise Refused("place.taken")
    for permission in ("create_public_threads", "send_messages_in_threads"):
        if not getattr(answer.interaction.app_permissions, permission):
            raise Refused("place.permission_for_thread", permission=f"@permission.{permission}")
    say = language(challenge.locale)
    first, second = await names_of(answer, (challenge.challenger, answer.user_id))
    name = say("challenge.thread", game=find(challenge.game).name, first=first, second=second)
    challenges = answer.service(ChallengeService)
    await challenges.reserve(challenge.id, answer.user_id)
    try:
        thread = await message.create_thread(name=name[:NAME_LENGTH])
    except discord.HTTPException as error:
        if error.code != THREAD_EXISTS:
            raise
        return Place(challenge.place.guild_id, message.id)
    return Place(challenge.place.guild_id, thread.id)


@handlers.on("rematch")
async def rematch(answer: Answer, press: Press) -> None:
    """Offers the opponent the same game again with the seats swapped.

    If the opponent has offered a rematch in this channel already, it is accepted instead.
    """
    challenges = answer.service(ChallengeService)
    place = Place(answer.interaction.guild_id, answer.interaction.channel_id or 0)
    say = await public_language(answer)
    try:
        challenge = await challenges.rematch(press.subject, answer.user_id, place, say.code)
    except Refused as refused:
        offered = await challenges.open_rematch(press.subject) if refused.key == "rematch.accept" else None
        if offered is None or offered.message_id is None or offered.place != place:
            raise
        await accept_rematch(answer, offered, offered.message_id)
        return
    off = await time_off(answer.context, challenge, say)
    message_id = await answer.public(content(challenge, say, off), view(challenge, say), mentions(challenge))
    await challenges.posted(challenge.id, message_id)


async def accept_rematch(answer: Answer, challenge: Challenge, message_id: int) -> None:
    """Starts the rematch that the opponent has offered, and has the challenge's message edited soon after."""
    place = challenge.place
    channel = answer.context.client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
    live = await start(answer, challenge.id, channel.get_partial_message(message_id))
    await answer.private(answer.say("rematch.begins", link=board.link(live)))
    answer.service(ChallengeService).wake()


@handlers.on("decline_challenge")
async def decline_challenge(answer: Answer, press: Press) -> None:
    """Declines a challenge made to the user."""
    await answer.service(ChallengeService).decline(press.subject, answer.user_id)
    await close(answer, press.subject)


@handlers.on("cancel_challenge")
async def cancel_challenge(answer: Answer, press: Press) -> None:
    """Cancels the user's own challenge."""
    await answer.service(ChallengeService).cancel(press.subject, answer.user_id)
    await close(answer, press.subject)


async def close(answer: Answer, challenge_id: str, after: str = "") -> None:
    """Edits the message: it says how the challenge ended, without buttons."""
    challenge = await answer.service(ChallengeService).get(challenge_id)
    say = language(challenge.locale)
    await answer.update(f"{content(challenge, say)}\n{after}".rstrip(), view=view(challenge, say))
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
    place, say = finished.place, language(finished.locale)
    # in the same channel link to the challenge, since board messages are replaced; elsewhere link to the thread
    beside = following.place == place
    rematch = board.link(replace(following, message_id=challenge.message_id if beside else None))
    channel = client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
    card = channel.get_partial_message(finished.message_id)
    await card.edit(view=view_of(*board_buttons(finished, say, rematch)))
