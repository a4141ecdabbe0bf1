"""A profile as a picture and in words, with a button that shows it to everybody."""

import io
from typing import Final

import discord

from bot.board.pictures import ALT_LENGTH
from bot.core import render_queue
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press, read_id
from bot.core.interactions.routing import Handlers
from bot.core.texts.quoting import escaped, visible
from bot.core.translations import Language
from bot.players.asker import public_language
from bot.players.service import PlayerNames
from bot.profiles.profile import LATELY, GameProfile, Profile, RatedResult, current_streak, longest_wins
from bot.profiles.service import ProfileService
from engine.rating.glicko import Rating
from engine.registry import find
from render.people import pictures
from render.people.views import GameRow, Pairing, ProfileView, Result, Tally

handlers: Final = Handlers()

ROWS: Final = 4
"""The most games in the picture. The text has all of them."""
CONTENT: Final = 2000


async def show(answer: Answer, user_id: int, called: str) -> None:
    """Shows a user's profile privately. ``called``: their name on Discord, if the bot does not know one yet."""
    content, file = await _drawn(answer, user_id, answer.say, called)
    share = PressButton(Press("share_profile", str(user_id), 0), answer.say("button.share_profile"))
    await answer.private(content, files=[file], view=view_of(share))


@handlers.on("share_profile")
async def share(answer: Answer, press: Press) -> None:
    """Posts the profile for everybody, in the language of the place."""
    answer.context.check_posts(answer.user_id)
    user_id = read_id(press.subject)
    content, file = await _drawn(answer, user_id, await public_language(answer))
    await answer.public(content, view_of(), discord.AllowedMentions.none(), files=[file])


async def _drawn(answer: Answer, user_id: int, say: Language, called: str = "") -> tuple[str, discord.File]:
    """Returns a profile in words, and its picture."""
    profile = await answer.service(ProfileService).of(user_id, answer.user_id)
    names = await answer.service(PlayerNames).names((user_id, answer.user_id), say)
    name = names[user_id] or visible(called) or say("profile.nameless")
    reader = names[answer.user_id]
    words = in_words(profile, escaped(name), escaped(reader), answer.now, say)
    alt = in_words(profile, name, reader, answer.now, say).replace("**", "")[:ALT_LENGTH]
    view = picture(profile, name, reader, answer.now, say, answer.theme)
    data = await render_queue.pictures.draw(pictures.profile, view)
    return words[:CONTENT], discord.File(io.BytesIO(data), filename="profile.png", description=alt)


def in_words(profile: Profile, name: str, reader: str, now: int, say: Language) -> str:
    lines = [f"**{name}** · {about(profile, say)}"]
    for game in profile.games:
        won, drawn, lost = game.tally
        counts = say("profile.counts", won=won, drawn=drawn, lost=lost)
        change = change_text(game, now, say)
        shown = rating_text(game.rating, say)
        rating = f"{shown} ({change})" if change else shown
        title = find(game.game).name
        lines.append(say("profile.game", game=title, pace=pace_text(game.pace, say), rating=rating, counts=counts))
    if profile.form:
        form = " ".join(letter(result, say) for result in profile.form)
        lines.append(say("profile.form_line", form=form))
    if profile.pairing is not None and any(profile.pairing):
        won, drawn, lost = profile.pairing
        counts = say("profile.counts", won=won, drawn=drawn, lost=lost)
        lines.append(say("profile.pairing_line", player=name, opponent=reader, counts=counts))
    lines += [f"{what}: {much}" for what, much in facts(profile, say)]
    return "\n".join(lines)


def picture(profile: Profile, name: str, reader: str, now: int, say: Language, theme: str) -> ProfileView:
    rows = tuple(
        GameRow(
            find(game.game).name,
            pace_text(game.pace, say),
            rating_text(game.rating, say),
            change_text(game, now, say),
            game.curve,
            Tally(*game.tally),
        )
        for game in profile.games[:ROWS]
    )
    pairing = None
    if profile.pairing is not None and any(profile.pairing):
        title = say("profile.pairing", player=name, opponent=reader)
        pairing = Pairing(title, Tally(*profile.pairing))
    return ProfileView(
        name,
        about(profile, say),
        rows,
        say("profile.empty"),
        (say("profile.won"), say("profile.drawn"), say("profile.lost")),
        say("profile.form"),
        tuple(Result(letter(result, say), sign(result)) for result in profile.form),
        pairing,
        facts(profile, say),
        theme,
    )


def about(profile: Profile, say: Language) -> str:
    return say("profile.about", n=profile.total) if profile.total else say("profile.empty")


def rating_text(rating: Rating, say: Language) -> str:
    """Returns ``1532``, or ``1532?`` while it is provisional."""
    rounded = round(rating.rating)
    return say("profile.provisional", rating=rounded) if rating.provisional else str(rounded)


def change_text(game: GameProfile, now: int, say: Language) -> str:
    """Returns ``+31 in 30 days``; empty without a result since then."""
    change = game.change_since(now - LATELY)
    return "" if change is None else say("profile.change", change=f"{change:+}".replace("-", "\N{MINUS SIGN}"))


def pace_text(pace: str, say: Language) -> str:
    return say(f"option.pace.{pace}")


def sign(result: RatedResult) -> int:
    return (result.score > 0) + (result.score == 1) - 1


def letter(result: RatedResult, say: Language) -> str:
    return say(f"profile.letter.{('lost', 'drawn', 'won')[sign(result) + 1]}")


def facts(profile: Profile, say: Language) -> tuple[tuple[str, str], ...]:
    """Returns the streaks as pairs of a label and a value."""
    streak = current_streak(profile.results)
    if streak is None:
        return ()
    kind = {1: "won", 0.5: "drawn", 0: "lost"}[streak.score]
    now = say(f"profile.streak.{kind}", n=streak.length)
    return (say("profile.longest"), str(longest_wins(profile.results))), (say("profile.streak"), now)
