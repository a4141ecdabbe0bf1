"""What people and servers may choose, as data; and what they have chosen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.players.tables import SERVER as OF_SERVER
from bot.players.tables import USER as OF_USER
from bot.players.zones import read_span, read_zone
from engine.core.clock import TimeControl
from engine.core.errors import RuleError


@dataclass(frozen=True, slots=True)
class Preference:
    """One choice. Its title is the message ``preference.<scope>.<key>``, each choice's ``….<choice>``."""

    key: str
    choices: tuple[str, ...]
    default: str
    page: str = "board"
    """Where in the panel it stands: ``board``, ``play``, ``time`` or ``calls``; "": nowhere, nobody chooses it."""
    read: Callable[[str], str] | None = None
    """For a free value instead of choices: gives it as it is kept. Raises RuleError."""
    channel: bool = False
    """Whether the free value is the id of a channel."""

    def offers(self, value: str) -> bool:
        """Whether it may have this value."""
        if self.read is None:
            return value in self.choices
        try:
            return self.read(value) == value
        except RuleError:
            return False


def _id(text: str) -> str:
    """The id of a channel; "" for none."""
    if text and not text.isdecimal():
        raise RuleError("preference.not_a_channel", value=text)
    return text


def _clock(text: str) -> str:
    """A time control in its canonical text; "" for none."""
    return str(TimeControl.parse(text)) if text else ""


def _hour(text: str) -> str:
    """A full hour of the day as two digits."""
    number, colon, minutes = text.strip().partition(":")
    if not (number.isdecimal() and int(number) < 24 and minutes in {"", "00"} and bool(colon) == bool(minutes)):
        raise RuleError("preference.not_an_hour", value=text)
    return f"{int(number):02}"


THEMES: Final = ("wood", "slate", "contrast")
USER: Final = (
    # auto: the language of the user's Discord
    Preference("language", ("auto", "en", "es"), "auto"),
    # the colours of the boards that only the user sees
    Preference("theme", THEMES, "wood"),
    # the side drawn below, in what only the user sees and on the board of the user's turn
    Preference("below", ("own", "mover", "first"), "own"),
    # whether to ask before a turn is played; long: one of several steps
    Preference("confirm", ("always", "long", "never"), "long", "play"),
    # whether forced turns are played for the user; forced passes always are
    Preference("forced", ("play", "ask"), "play", "play"),
    # auto: the user never doubles, so the dice are rolled for them
    Preference("roll", ("ask", "auto"), "ask", "play"),
    # where the user's clock on the wall stands; "": UTC
    Preference("zone", (), "", "time", read_zone),
    # the daily hours in which the user's clocks stand, in that zone; "": none
    Preference("rest", (), "", "time", read_span),
    # the days on which they stand
    Preference("weekend", ("none", "sat_sun", "fri_sat"), "none", "time"),
    # a call with every turn, or one message a day
    Preference("pings", ("turn", "digest"), "turn", "notifications"),
    Preference("digest_hour", (), "09", "notifications", _hour),
    # the daily hours in which nobody is called
    Preference("quiet", (), "", "notifications", read_span),
    # when to be reminded of a turn: at 80 % of the allowance, an hour, a day before its end
    Preference("reminders", ("both", "hour", "day", "share", "none"), "both", "notifications"),
    # what the user's Discord spoke last: for messages that answer nothing; "": not known
    Preference("heard", ("", "en", "es"), "", page=""),
)
SERVER: Final = (
    # auto: the language of the server's Discord
    Preference("language", ("auto", "en", "es"), "auto"),
    # the colours of the boards that everybody sees
    Preference("theme", THEMES, "wood"),
    # a thread for a game only where the channel is taken, or for every game
    Preference("threads", ("taken", "always"), "taken"),
    # the board before the present one loses its buttons, goes, or becomes the present one
    Preference("old_board", ("strip", "delete", "edit"), "strip"),
    # the time control of a challenge that names none; "": no clock
    Preference("clock", (), "", "time", _clock),
    # what happens when time is up: a loss at once, or the opponent decides
    Preference("timeout_policy", ("loss", "claim"), "loss", "time"),
    # the most time that one turn may be given, bank included, in days
    Preference("longest", ("1", "3", "7", "14", "30", "90"), "30", "time"),
    # how many days of vacation a year hold here
    Preference("vacation", ("0", "14", "28", "42"), "28", "time"),
    # where those are called who cannot be reached otherwise; "": nowhere
    Preference("notification_channel", (), "", "notifications", _id, channel=True),
)
SCOPES: Final[Mapping[str, Mapping[str, Preference]]] = {
    scope: MappingProxyType({preference.key: preference for preference in listed})
    for scope, listed in ((OF_USER, USER), (OF_SERVER, SERVER))
}
DEFAULTS: Final[Mapping[str, Mapping[str, str]]] = {
    scope: MappingProxyType({preference.key: preference.default for preference in listed.values()})
    for scope, listed in SCOPES.items()
}


def _titles(scope: str) -> dict[str, tuple[str, ...]]:
    names = (
        f"preference.{scope}.{'.'.join(parts)}"
        for preference in SCOPES[scope].values()
        if preference.page
        for parts in ((preference.key,), *((preference.key, choice) for choice in preference.choices))
    )
    return dict.fromkeys(names, ())


KEYS: Final[dict[str, tuple[str, ...]]] = {
    "preference.unknown": ("preference", "preferences"),
    "preference.choice": ("preference", "value", "choices"),
    "preference.not_a_channel": ("value",),
    "preference.not_an_hour": ("value",),
    **_titles(OF_USER),
    **_titles(OF_SERVER),
}
"""The messages of this module, with their parameters."""


def offers(scope: str, key: str, value: str) -> bool:
    """Whether there is such a choice."""
    preference = SCOPES[scope].get(key)
    return preference is not None and preference.offers(value)
