"""The proof of a game's rolls, and a player's statistics. Both are private."""

import io
from math import sqrt
from typing import Final

import discord
from babel.numbers import format_decimal, format_percent

from bot.archive.views import visible_game
from bot.board.story import seat_name
from bot.core import render_queue
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.dice.service import DiceService
from bot.dice.statistics import MEAN_PIPS, Sample, difference_odds
from bot.games.live import LiveGame
from engine.core.errors import CorruptRecord
from engine.core.record import Record, dump, sealed
from engine.core.rolls import Roll
from render.people import pictures
from render.people.dice import FAIR, DiceView

handlers: Final = Handlers()

PER_PAGE: Final = 12
SHOWN_DIGITS: Final = 8
FENCE: Final = "```"
USUAL: Final = 1.96
"""The standard deviations that hold 95 of 100 samples."""
ALT_LENGTH: Final = 1024


# --- the proof of a game ---------------------------------------------------------------------------------------------


@handlers.on("dice")
async def turn_page(answer: Answer, press: Press) -> None:
    """Shows another page of a game's proof: ``seq`` is its number, ``rest`` only tells the buttons apart."""
    live = await visible_game(answer, press.subject)
    await show_proof(answer, live, press.seq, fresh=False)


async def show_proof(answer: Answer, live: LiveGame, page: int | None, *, fresh: bool) -> None:
    """Shows a page of the proof (None: the last), with the record and the commands to repeat a roll by hand."""
    say = answer.say
    mine = PressButton(Press("dice_mine", "me", 0), say("button.dice_mine"))
    if not live.record.header.commitment:
        await answer.show(say("dice.none", game=live.game.name), view=view_of(mine), fresh=fresh)
        return
    name = f"{live.game.key}.record"
    file = discord.File(io.BytesIO(sealed(str(live.record)).encode()), filename=name)
    try:
        rolls = await answer.service(DiceService).proof(live)
    except CorruptRecord as error:
        await answer.show(say("dice.broken", text=str(error)), files=[file], view=view_of(mine), fresh=fresh)
        return
    last = max(0, len(rolls) - 1) // PER_PAGE
    page = last if page is None else min(page, last)
    shown = rolls[page * PER_PAGE :][:PER_PAGE]
    lines = [say("dice.proof", game=live.game.name, n=len(rolls))]
    if shown:
        lines += [FENCE, say("dice.columns"), *(_line(live, roll, say) for roll in shown), FENCE]
        lines += [say("dice.by_hand", number=shown[-1].number, file=name), FENCE]
        lines += [*by_hand(live.record, shown[-1], name), FENCE, say("dice.docs")]
    buttons = [
        PressButton(Press("dice", live.id, to, verb), say(f"button.{verb}"), disabled=not 0 <= to <= last)
        for verb, to in (("back", max(page - 1, 0) if page else 0), ("forward", page + 1))
    ]
    buttons[0].disabled = page == 0
    await answer.show("\n".join(lines), files=[file], view=view_of(*(buttons if last else ()), mine), fresh=fresh)


def _line(live: LiveGame, roll: Roll, say: Language) -> str:
    """Returns number, dice, seat, promise, secret: `` 12 42 White 1a2b3c4d 9f8e7d6c ✓``."""
    whose = seat_name(live, roll.seat, say)[:5] if roll.seat is not None and roll.uneven else "-"
    return f"{roll.number:>3} {roll.outcome} {whose:<5} {roll.promised[:SHOWN_DIGITS]} {roll.secret[:SHOWN_DIGITS]} ✓"


def by_hand(record: Record, roll: Roll, name: str) -> tuple[str, str, str]:
    """Returns the terminal commands that repeat a roll: the hash of the record before it, the promise, the draw."""
    before = len(dump(Record(record.header, tuple(record.entries[: roll.entry]))).splitlines())
    return (
        f"head -n {before} {name} | sha256sum",
        f"printf %s {roll.secret} | sha256sum",
        f"printf %s {roll.message} | openssl dgst -sha256 -hmac {roll.secret}",
    )


# --- a player's statistics -------------------------------------------------------------------------------------------


@handlers.on("dice_mine")
async def open_statistics(answer: Answer, press: Press) -> None:
    del press
    await show_statistics(answer, fresh=True)


async def show_statistics(answer: Answer, *, fresh: bool) -> None:
    """Shows the statistics of the user's dice and the opponents' in all finished games, as picture and text."""
    own, opponents = await answer.service(DiceService).statistics(answer.user_id)
    say = answer.say
    if not own.rolls:
        await answer.show(say("dice.no_rolls"), fresh=fresh)
        return
    lines = statistics(own, opponents, say)
    view = DiceView(
        title=say("dice.title"),
        about=say("dice.rolls", n=own.rolls),
        own=shares(own),
        opponents=shares(opponents),
        shares=tuple(_percent(share, say) for share in shares(own)),
        usual=USUAL * sqrt(FAIR * (1 - FAIR) / (2 * own.rolls)),
        legend=(say("dice.yours"), say("dice.theirs") if opponents.rolls else "", say("dice.usual")),
        theme=answer.theme,
    )
    data = await render_queue.pictures.draw(pictures.dice, view)
    alt = say("dice.alt", own=_listed(own, say), opponents=_listed(opponents, say) if opponents.rolls else "-")
    file = discord.File(io.BytesIO(data), filename="dice.png", description=alt[:ALT_LENGTH])
    await answer.show("\n".join(lines), files=[file], fresh=fresh)


def shares(sample: Sample) -> tuple[float, ...]:
    """Returns the share of each number, as a part of 1; empty for an empty sample."""
    return tuple(count / (2 * sample.rolls) for count in sample.faces) if sample.rolls else ()


def statistics(own: Sample, opponents: Sample, say: Language) -> list[str]:
    """Returns the lines about a player's dice: each figure with that of fair dice, and how surprising it is."""
    doubles = say("dice.doubles", share=_percent(own.doubles / own.rolls, say), fair=_percent(FAIR, say))
    average = say("dice.average", pips=_decimal(own.average, say), fair=_decimal(MEAN_PIPS, say))
    lines = [
        say("dice.mine", n=own.rolls),
        f"{say('dice.faces', listed=_listed(own, say))} {_odds('spread', own.faces_odds, say)}",
        f"{say('dice.pairs')} {_odds('spread', own.pairs_odds, say)}",
        f"{doubles} {_odds('deviation', own.doubles_odds, say)}",
        f"{average} {_odds('deviation', own.average_odds, say)}",
    ]
    if opponents.rolls:
        theirs = say(
            "dice.opponents",
            n=opponents.rolls,
            pips=_decimal(opponents.average, say),
            share=_percent(opponents.doubles / opponents.rolls, say),
        )
        lines.append(f"{theirs} {_odds('difference', difference_odds(own, opponents), say)}")
    return [*lines, say("dice.surprise")]


def _odds(what: str, odds: float | None, say: Language) -> str:
    """Writes how often fair dice give this: ``A spread like this or wider happens in 34 of 100 samples of
    this size``.
    """
    if odds is None:
        return say("dice.odds.too_few")
    if odds < 0.001:
        return say(f"dice.odds.{what}", times=say("dice.odds.fewer", all=1000))
    whole = 100 if odds >= 0.01 else 1000
    return say(f"dice.odds.{what}", times=say("dice.odds.times", times=round(odds * whole), all=whole))


def _listed(sample: Sample, say: Language) -> str:
    """Returns ``1: 16.2%, 2: 17.1%, …``."""
    return " · ".join(f"{number}: {_percent(share, say)}" for number, share in enumerate(shares(sample), 1))


def _percent(share: float, say: Language) -> str:
    return format_percent(share, "#,##0.0%", locale=say.code)


def _decimal(number: float, say: Language) -> str:
    return format_decimal(number, "0.00", locale=say.code)
