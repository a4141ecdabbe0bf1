"""The text of a challenge: the game, match or series, the clock, and the opponent."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.challenges.proposal import Ratings, own_options
from bot.challenges.service import Challenge, ChallengeService
from bot.clocks import words as clock_words
from bot.clocks.recurring import hours_of
from bot.clocks.vacations.service import VacationService
from bot.core.interactions.answer import Context
from bot.core.translations import Language
from bot.players.machines import is_machine
from bot.players.mentions import capitalized, mention
from bot.players.service import PreferenceService
from engine.core.clock import TimeControl
from engine.core.errors import Translated
from engine.core.game import OptionValue, Seat
from engine.kits.cube import ON
from engine.match.match import Terms
from engine.registry import find

PROMISE_DIGITS: Final = 8
"""The digits of the promise of all rolls in the challenge's text, to compare by eye. A button shows all digits."""


def content(challenge: Challenge, say: Language, notes: Sequence[str] = ()) -> str:
    """Writes the offer, or how it ended. ``notes``: further lines to read before accepting (``notes_on``)."""
    game = find(challenge.game)
    layout = layout_text(challenge.game, challenge.options, say)
    params = {"challenger": mention(challenge.challenger, say), "game": game.name, "layout": layout}
    begins = is_begun_by_machine(challenge)
    key = "challenge.open" if challenge.opponent is None else "challenge.against" if begins else "challenge.to"
    opponent = "" if challenge.opponent is None else mention(challenge.opponent, say)
    lines = [capitalized(say(key, **params, opponent=opponent))]
    lines.append(stakes(challenge.game, challenge.options, challenge.terms, say, rated=challenge.rated))
    lines += [sides(challenge, say)] if challenge.status == "open" and not begins else []
    lines.append(clock_line(challenge.clock, challenge.timeout_policy, challenge.terms, say))
    if begins:
        pass
    elif challenge.status == "open":
        lines += wanted(ratings_of(challenge), say)
        lines += notes
        lines.append(say("challenge.expires", when=f"<t:{challenge.expires // 1000}:R>"))
    else:
        who = challenge.answered_by or challenge.challenger
        lines.append(capitalized(say(f"challenge.{challenge.status}", player=mention(who, say))))
    if has_promise(challenge):
        lines.append(say("challenge.sealed", seal=challenge.commitment[:PROMISE_DIGITS]))
    return "\n".join(lines)


def is_begun_by_machine(challenge: Challenge) -> bool:
    """Returns whether a machine is challenged and has not declined. It accepts at once, so there is no waiting."""
    return is_machine(challenge.opponent) and challenge.status in {"open", "accepted"}


def has_promise(challenge: Challenge) -> bool:
    """Returns whether the game rolls dice, so that the challenge promises them."""
    return find(challenge.game).begins_with_luck(challenge.options)


def sides(challenge: Challenge, say: Language) -> str:
    """Returns who plays which side in the (first) game, or that the sides are drawn."""
    seats = find(challenge.game).seats
    if challenge.first is not None:
        return capitalized(
            say("challenge.side", player=mention(challenge.first, say), side=Translated(f"@seat.{seats[0]}"))
        )
    return side_chosen(challenge.challenger, challenge.game, challenge.seat, say)


def newcomer_line(defaults: Sequence[str], say: Language) -> list[str]:
    """Returns the line that names the defaults for newcomers (``newcomer_defaults``); none without any."""
    what = ", ".join(say(f"challenge.newcomer.{name}") for name in defaults)
    return [say("challenge.newcomer", what=what)] if what else []


def side_chosen(challenger: int, game: str, seat: Seat | None, say: Language) -> str:
    """Returns which side the challenger plays, or that the sides are drawn."""
    if seat is None:
        return say("challenge.sides_drawn")
    return capitalized(
        say("challenge.side", player=mention(challenger, say), side=Translated(f"@seat.{find(game).seats[seat]}"))
    )


def ratings_of(challenge: Challenge) -> Ratings:
    return challenge.rating_low, challenge.rating_high


def played_for(game: str, options: Mapping[str, OptionValue], terms: Terms, say: Language) -> str:
    """Returns ``Match to 3 points with the doubling cube``, ``Best of 3, sides alternate``, ``Single game``,
    and so on.
    """
    cube = options.get("cube") == ON
    if terms.points:
        parts = [say("challenge.match_cube" if cube else "challenge.match", n=terms.points)]
    elif terms.best_of > 1:
        parts = [say("challenge.series", n=terms.best_of)]
    else:
        parts = [say("challenge.unlimited" if cube else "challenge.single")]
    if cube and not terms.is_match:
        parts.append(say("challenge.jacoby" if options.get("jacoby", ON) == ON else "challenge.without_jacoby"))
        parts += [say("challenge.with_beavers")] if options.get("beavers") == ON else []
    return ", ".join([*parts, *own_chosen(game, options, say)])


def own_chosen(game: str, options: Mapping[str, OptionValue], say: Language) -> list[str]:
    """Returns the chosen values of the game's own options that differ from the usual ones."""
    chosen = [(option, options.get(option.key, option.default)) for option in own_options(game)]
    return [
        say(f"option.{option.key}.{value}") if option.choices else say(f"option.{option.key}.chosen", n=value)
        for option, value in chosen
        if value != option.default
    ]


def stakes(game: str, options: Mapping[str, OptionValue], terms: Terms, say: Language, *, rated: bool) -> str:
    """Writes the line about the match or series, and whether it is rated."""
    how = say("challenge.rated" if rated else "challenge.casual")
    return say("challenge.stakes", what=played_for(game, options, terms, say), how=how)


def clock_line(clock: str, timeout_policy: str, terms: Terms, say: Language) -> str:
    """Writes the line about the clock, which also says whether the games of a match share it."""
    if not clock:
        return say("challenge.no_clock")
    policy = "match_loss" if terms.is_match and timeout_policy == "loss" else timeout_policy
    time, then = clock_words.control(clock, say), say(f"challenge.timeout_policy.{policy}")
    line = say("challenge.clock", time=time, then=then)
    shared = terms.is_match and TimeControl.parse(clock).bank
    return f"{line} {say(f'challenge.bank.{terms.bank}')}" if shared else line


def wanted(ratings: Ratings, say: Language) -> list[str]:
    """Returns the line that names the ratings that may accept; none if all may."""
    low, high = ratings
    if low is not None and high is not None:
        return [say("challenge.wanted", low=low, high=high)]
    if low is not None:
        return [say("challenge.wanted_from", low=low)]
    return [] if high is None else [say("challenge.wanted_to", high=high)]


async def notes_on(context: Context, challenge: Challenge, say: Language) -> list[str]:
    """Returns the notes to read before accepting: the challenger's rating, and the players' time off."""
    rating = await context.services[ChallengeService].rating(challenge.challenger, challenge.game, challenge.clock)
    lines = []
    if rating is not None:
        key = "challenge.rating_provisional" if rating.provisional else "challenge.rating"
        lines.append(say(key, player=mention(challenge.challenger, say), rating=round(rating.rating)))
    return lines + await time_off(context, challenge, say)


async def time_off(context: Context, challenge: Challenge, say: Language) -> list[str]:
    """Returns lines about the time off of the known players, for users who may accept."""
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


def layout_text(game: str, options: Mapping[str, OptionValue], say: Language) -> str:
    """Writes the layout's name as `` (Nackgammon)``; empty for the usual layout."""
    layout = options.get("layout", "standard")
    return "" if layout == "standard" else say("challenge.layout", layout=say(f"{game}.layout.{layout}"))
