"""Turns a challenge back into the form, so that the challenger can change it."""

from collections.abc import Mapping
from dataclasses import replace

from bot.challenges.proposal import LONGEST_TIME, NO_SEAT, USUAL, Draft, Wishes, own_options, write_ratings
from bot.challenges.service import Challenge
from bot.clocks import limits as time_limits
from bot.clocks import typed as typed_time
from engine.core.clock import TimeControl
from engine.kits.cube import ON


def draft_of(challenge: Challenge, server: Mapping[str, str]) -> Draft:
    """Returns the challenge as a draft of the form, without the fields that the form lacks (``completed``
    adds them).
    """
    layout = str(challenge.options.get("layout", "standard"))
    return Draft(
        challenge.game,
        "" if layout == "standard" else layout,
        kind_of(challenge),
        _time(challenge.clock, server),
        challenge.rated,
        write_ratings((challenge.rating_low, challenge.rating_high)),
        NO_SEAT if challenge.seat is None else str(challenge.seat),
        challenge.id,
    )


def kind_of(challenge: Challenge) -> str:
    """Returns the kind of game, match or series of the challenge, by the letters of ``Draft.kind``."""
    cube = "c" if challenge.options.get("cube") == ON else ""
    if challenge.points:
        return f"p{challenge.points}{cube}"
    return f"b{challenge.best_of}" if challenge.best_of > 1 else f"s{cube}"


def _time(clock: str, server: Mapping[str, str]) -> str:
    if clock in typed_time.PRESETS:
        return str(typed_time.PRESETS.index(clock))
    return USUAL if clock == time_limits.default_control(server) or len(clock) > LONGEST_TIME else clock


def completed(wishes: Wishes, clock: str, challenge: Challenge) -> Wishes:
    """Returns the form's wishes. The fields that the form lacks are as in the challenge, where they fit."""
    if wishes.game != challenge.game:
        return wishes
    options = challenge.options
    own = {option.key: options[option.key] for option in own_options(wishes.game) if option.key in options}
    shares = (wishes.points or (wishes.games or 1) > 1) and clock and TimeControl.parse(clock).bank
    bank = challenge.bank if shares else None
    wishes = replace(wishes, bank=bank, options=own)
    if not wishes.cube or wishes.points or "jacoby" not in options or options["cube"] != ON or challenge.points:
        return wishes
    return replace(wishes, jacoby=options["jacoby"] == ON, beavers=options["beavers"] == ON)
