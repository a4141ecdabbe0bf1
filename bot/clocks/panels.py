"""The parts of the settings panels about time: a server's limits, and a player's time off."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from babel.dates import format_datetime

from bot.clocks import limits, typed, words
from bot.core.translations import Language
from bot.players.panel_hooks import PanelHooks
from bot.players.places.reading import city
from bot.players.tables import SERVER


def add_to(hooks: PanelHooks) -> None:
    hooks.readers[SERVER, "clock"] = lambda text: typed.readings(text)[0]
    hooks.sayers[SERVER, "clock"] = words.control
    hooks.checks.append(check)
    hooks.notes.append(notes_of)


def check(scope: str, key: str, values: Mapping[str, str]) -> None:
    """Raises Refused if the server's default time control exceeds the server's own limit."""
    if scope == SERVER and key in {"clock", "longest"} and values["clock"] and values["longest"].isdecimal():
        limits.check_limit(values, values["clock"])


def notes_of(scope: str, page: str, values: Mapping[str, str], now: int, say: Language) -> list[str]:
    """Returns the notes of a settings page. ``now`` in ms since 1970.

    For a player: the present time in their zone, and their time off. For a server: the default time control, if it
    follows from the limit.
    """
    if scope == SERVER:
        default = limits.default_control(values)
        limited = page == "time" and default != values["clock"]
        return [say("panel.limited", control=words.control(default, say))] if limited else []
    notes = []
    if page == "time" and values["zone"]:
        there = datetime.fromtimestamp(now / 1000, ZoneInfo(values["zone"]))
        moment = format_datetime(there, "EEEE, HH:mm", locale=say.code)
        where = city(values["zone"], say.code)
        notes.append(say("panel.there", city=where, moment=moment, device=words.stamp(now, "t")))
    hours = {"time": values["rest"] + values["weekend"].replace("none", ""), "notifications": values["quiet"]}
    if hours.get(page) and not values["zone"]:
        notes.append(say("panel.no_zone_here" if page == "time" else "panel.no_zone"))
    if page == "time":
        line = words.rest_hours_line(values["rest"], values["weekend"], values["zone"], say)
        notes += [line, say("panel.from_next_turn")]
    return notes
