"""What the panels of settings say of time: limits of a server, and when a player's clocks stand."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from babel.dates import format_datetime

from bot.clocks import limits, typed, words
from bot.core.translations import Language
from bot.players.panel_hooks import PanelHooks
from bot.players.tables import SERVER


def add_to(hooks: PanelHooks) -> None:
    """Registers all of this."""
    hooks.readers[SERVER, "clock"] = lambda text: typed.readings(text)[0]
    hooks.sayers[SERVER, "clock"] = words.control
    hooks.checks.append(check)
    hooks.notes.append(notes)


def check(scope: str, key: str, values: Mapping[str, str]) -> None:
    """Raises Refused where the server's own limit is against its time control."""
    if scope == SERVER and key in {"clock", "longest"} and values["clock"] and values["longest"].isdecimal():
        limits.allowed(values, values["clock"])


def notes(scope: str, page: str, values: Mapping[str, str], now: int, say: Language) -> list[str]:
    """What a player can check the hours by, and what a server's limits come to. ``now`` in ms since 1970."""
    if scope == SERVER:
        unsaid = limits.usual(values)
        limited = page == "time" and unsaid != values["clock"]
        return [say("panel.limited", control=words.control(unsaid, say))] if limited else []
    told = []
    if page == "time" and values["zone"]:
        there = datetime.fromtimestamp(now / 1000, ZoneInfo(values["zone"]))
        moment = format_datetime(there, "EEEE, HH:mm", locale=say.code)
        told.append(say("panel.there", moment=moment, device=words.stamp(now, "t")))
    hours = {"time": values["rest"] + values["weekend"].replace("none", ""), "notifications": values["quiet"]}
    if hours.get(page) and not values["zone"]:
        told.append(say("panel.no_zone_here" if page == "time" else "panel.no_zone"))
    if page == "time":
        standing = words.standing_hours(values["rest"], values["weekend"], values["zone"], say)
        told += [standing, say("panel.from_next_turn")]
    return told
