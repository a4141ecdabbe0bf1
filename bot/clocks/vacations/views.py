"""The private panel of a player's vacations: days left, announced vacations; take, end or cancel one."""

import re
from datetime import UTC, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

import discord
from babel.dates import format_date

from bot.clocks.recurring import hours_of
from bot.clocks.service import DeadlineService
from bot.clocks.vacations.service import BUDGET_DAYS, LONGEST_DAYS, Vacation, VacationService
from bot.clocks.words import off_lines, stamp
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu, view_of
from bot.core.interactions.forms import Field, form_of
from bot.core.interactions.press import MOST_ROW, InvalidPress, Press, read_number
from bot.core.interactions.routing import Handlers
from bot.games.service import GameService
from bot.players.mentions import mention
from bot.players.places.reading import city
from bot.players.service import PreferenceService
from engine.core.errors import Refused, RuleError
from engine.core.hours import DAY

handlers: Final = Handlers()

LENGTHS: Final = (1, 2, 3, 4, 5, 7, 10, 14, 21, 28)
"""The lengths in the menu, in days."""
DATES: Final = (
    re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})"),
    re.compile(r"(\d{1,2})\s*[./]\s*(\d{1,2})\s*[./]\s*(\d{4})"),
)
LONGEST_LIST: Final = 1800
"""The most characters of the list of the opponents' time off. A message has 2,000."""
DROPS: Final = 5
"""The most announced vacations with a cancel button: one row."""


# --- the panel -----------------------------------------------------------------------------------------------------


async def show(answer: Answer, *, fresh: bool, message: str = "") -> None:
    """Shows the panel, with ``message`` above it."""
    vacations, say, now = answer.service(VacationService), answer.say, answer.now
    taken = await vacations.of(answer.user_id)
    left = await vacations.left(answer.user_id) // DAY
    lines = [message] if message else []
    lines += [say("vacation.title"), await _budget(answer, left)]
    lines += [_line(answer, vacation, now) for vacation in taken] or [say("vacation.nothing")]
    lines.append(_midnight(answer))
    content, view = "\n".join(lines), view_of(*_components(answer, taken, left, now))
    await answer.show(content, view=view, fresh=fresh)


async def _budget(answer: Answer, left: int) -> str:
    """Returns the line about the days left; in a server that allows fewer days, the days that count there."""
    allowed = await _allowed(answer)
    if allowed == BUDGET_DAYS:
        return answer.say("vacation.left", n=left, budget=BUDGET_DAYS)
    if not allowed:
        return answer.say("vacation.off_here")
    here = await answer.service(VacationService).left(answer.user_id, allowed) // DAY
    return answer.say("vacation.left_here", n=here, budget=allowed)


async def _allowed(answer: Answer) -> int:
    """Returns how many days of vacation a year count in this server."""
    if answer.interaction.guild_id is None:
        return BUDGET_DAYS
    server = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    return min(int(server["vacation"]), BUDGET_DAYS)


def _line(answer: Answer, vacation: Vacation, now: int) -> str:
    until = stamp(vacation.until, "f")
    if vacation.since <= now:
        return answer.say("vacation.present", until=until)
    return answer.say("vacation.announced", since=stamp(vacation.since, "f"), until=until)


def _components(answer: Answer, taken: list[Vacation], left: int, now: int) -> list[discord.ui.Item[Any]]:
    say = answer.say
    items: list[discord.ui.Item[Any]] = []
    present = next((vacation for vacation in taken if vacation.since <= now), None)
    offered = [days for days in LENGTHS if days <= left]
    if offered and present is None:
        options = [discord.SelectOption(label=say("vacation.days", n=days), value=str(days)) for days in offered]
        items.append(PressMenu(Press("vacation_from_now", "me", 0), say("vacation.choose"), options, row=0))
    if present is not None:
        items.append(PressButton(Press("vacation_end", "me", present.id), say("button.vacation_end"), "primary", row=1))
    if offered:
        items.append(PressButton(Press("vacation_other", "me", 0), say("button.vacation_other"), row=1))
    items.append(PressButton(Press("vacation_others", "me", 0), say("button.vacation_others"), row=1))
    for vacation in [vacation for vacation in taken if vacation.since > now][:DROPS]:
        there = datetime.fromtimestamp(vacation.since / 1000, _zone(answer))
        label = say("button.vacation_drop", day=format_date(there, "d MMM", locale=say.code))
        items.append(PressButton(Press("vacation_end", "me", vacation.id), label, row=2))
    return items


def _midnight(answer: Answer) -> str:
    """Returns the time at which a day begins for the user."""
    zone = answer.prefs["zone"]
    return answer.say("vacation.midnight", city=city(zone, answer.say.code)) if zone else answer.say("vacation.utc")


def _zone(answer: Answer) -> ZoneInfo:
    return ZoneInfo(answer.prefs["zone"] or "UTC")


# --- taking one ----------------------------------------------------------------------------------------------------


def read_day(text: str, zone: ZoneInfo, now: int) -> int | None:
    """Returns the start of a typed day in ms since 1970; None (at once) for today or an empty text.

    Raises RuleError if it is not a date, or is past.
    """
    plain = text.strip()
    if not plain:
        return None
    iso, written = (pattern.fullmatch(plain) for pattern in DATES)
    try:
        if iso is not None:
            year, month, day = map(int, iso.groups())
        elif written is not None:
            day, month, year = map(int, written.groups())
        else:
            raise RuleError("vacation.date", text=plain)
        found = datetime(year, month, day, tzinfo=zone)
        moment = int(found.astimezone(UTC).timestamp()) * 1000
    except (ValueError, OverflowError) as error:  # in eastern zones, year 1 begins before the first datetime in UTC
        raise RuleError("vacation.date", text=plain) from error
    today = datetime.fromtimestamp(now / 1000, zone).date()
    if found.date() < today:
        raise Refused("vacation.past")
    return None if found.date() == today else moment


async def ask(answer: Answer, days: int, since: int | None, *, fresh: bool) -> None:
    """Asks for confirmation before a vacation is taken. ``since`` in ms since 1970; None: at once. Raises Refused."""
    say = answer.say
    begin = answer.now if since is None else since
    until, allowed = begin + days * DAY, await _allowed(answer)
    await answer.service(VacationService).check(answer.user_id, begin, until)
    text = say("vacation.sure", n=days, since=stamp(begin, "f"), until=stamp(until, "f"))
    if since is not None:
        text = "\n".join([text, _midnight(answer)])
    counts = await answer.service(VacationService).counting(answer.user_id, begin, until, allowed) // DAY
    if allowed < BUDGET_DAYS and counts < days:
        text = "\n".join([text, say("vacation.counts_here", n=counts) if counts else say("vacation.off_here")])
    view = view_of(
        PressButton(Press("vacation_back", "me", 0), say("button.vacation_back")),
        PressButton(
            Press("vacation_take", "me", days, "" if since is None else str(since)),
            say("button.vacation_take"),
            "primary",
        ),
    )
    await answer.show(text, view=view, fresh=fresh)


async def command(answer: Answer, days: int | None, day: str) -> None:
    """Shows the panel, or asks for confirmation if ``days`` is given. Raises RuleError."""
    if days is None:
        await show(answer, fresh=True)
        return
    await ask(answer, days, read_day(day, _zone(answer), answer.now), fresh=True)


@handlers.on("vacation_from_now")
async def from_now(answer: Answer, press: Press) -> None:
    """Asks for confirmation of the length chosen in the menu."""
    await ask(answer, read_number(press.value), None, fresh=False)


@handlers.on("vacation_other")
async def on_another_day(answer: Answer, press: Press) -> None:
    del press
    say = answer.say
    fields = [
        Field("from", say("vacation.form.from"), "", say("vacation.form.from.hint"), longest=20),
        Field("days", say("vacation.form.days"), "", say("vacation.form.days.hint", least=1, most=LONGEST_DAYS)),
    ]
    await answer.form(form_of(Press("vacation_fill", "me", 0), say("vacation.form"), fields))


@handlers.on("vacation_fill")
async def fill(answer: Answer, press: Press) -> None:
    days = press.field("days").strip()
    since = read_day(press.field("from"), _zone(answer), answer.now)
    await ask(answer, int(days) if days.isdecimal() else 0, since, fresh=False)


@handlers.on("vacation_back")
async def back(answer: Answer, press: Press) -> None:
    del press
    await show(answer, fresh=False)


@handlers.on("vacation_others")
async def show_others(answer: Answer, press: Press) -> None:
    """Shows when the clocks of the user's opponents stop."""
    del press
    say, shared = answer.say, await _shared_days(answer)
    lines, told = [say("vacation.others")], 0
    for user_id in shared:
        preferences = await answer.service(PreferenceService).of_user(user_id)
        vacations = await answer.service(VacationService).counted_intervals(user_id, shared[user_id])
        hours = hours_of(preferences, answer.now, answer.now)
        own = off_lines(mention(user_id, say), hours, preferences["weekend"], vacations, answer.now, say)
        if len("\n".join([*lines, *own])) > LONGEST_LIST:
            break
        lines, told = [*lines, *own], told + 1
    if len(lines) == 1:
        lines.append(say("vacation.others_none"))
    if told < len(shared):
        lines.append(say("vacation.others_more", n=len(shared) - told))
    view = view_of(PressButton(Press("vacation_back", "me", 0), say("button.vacation_panel")))
    await answer.show("\n".join(lines), view=view, fresh=False)


async def _shared_days(answer: Answer) -> dict[int, int]:
    """Returns the user's opponents in running games, each with the most vacation days that count in one of
    these games.
    """
    found: dict[int, int] = {}
    for game in await answer.service(GameService).of(answer.user_id):
        server = await answer.service(PreferenceService).of_server(game.place.guild_id)
        for user_id in game.players:
            if user_id != answer.user_id:
                found[user_id] = max(found.get(user_id, 0), int(server["vacation"]))
    return found


@handlers.on("vacation_take")
async def take(answer: Answer, press: Press) -> None:
    """Takes the vacation and updates the user's games."""
    if not 1 <= press.seq <= LONGEST_DAYS:
        raise InvalidPress
    begin = press.number if press.rest else answer.now
    await answer.service(VacationService).take(answer.user_id, begin, begin + press.seq * DAY)
    await answer.service(DeadlineService).refresh(answer.user_id)
    await show(answer, fresh=False, message=answer.say("vacation.taken"))


@handlers.on("vacation_end")
async def end(answer: Answer, press: Press) -> None:
    """Ends the present vacation or cancels a future one, and updates the user's games."""
    begun = await answer.service(VacationService).end(answer.user_id, read_number(str(press.seq), MOST_ROW))
    await answer.service(DeadlineService).refresh(answer.user_id)
    await show(answer, fresh=False, message=answer.say("vacation.ended" if begun else "vacation.called_off"))
