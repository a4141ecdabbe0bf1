"""The preferences of users and servers, as data: keys, choices, defaults."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.players.places.reading import read_zone
from bot.players.tables import SERVER as OF_SERVER
from bot.players.tables import USER as OF_USER
from bot.players.zones import read_span
from engine.core.clock import TimeControl
from engine.core.errors import RuleError

ID: Final = re.compile(r"[0-9]{1,19}")
MOST: Final = 3
"""The most ids in one value: as many as its column holds."""


@dataclass(frozen=True, slots=True)
class Preference:
    """One preference. Its title is the message ``preference.<scope>.<key>``; a choice's is ``….<choice>``."""

    key: str
    choices: tuple[str, ...]
    default: str
    page: str = "board"
    """Its page in the panel, such as ``board`` or ``time``; "" for a hidden one, which only the bot sets."""
    read: Callable[[str], str] | None = None
    """Converts typed text into the stored value, for a free value instead of choices. Raises RuleError."""
    channel: bool = False
    """Whether the free value is the id of a channel."""
    role: bool = False
    """Whether the free value is the id of a role."""
    most: int = 1
    """The most channels or roles that may be chosen. If it is above 1, the value has the ids with commas
    between them.
    """

    @property
    def typed(self) -> bool:
        """Whether the value is filled in by a form."""
        return self.read is not None and not (self.channel or self.role)

    def offers(self, value: str) -> bool:
        """Returns whether this is a valid stored value."""
        if self.read is None:
            return value in self.choices
        try:
            return self.read(value) == value
        except RuleError:
            return False


def _id(text: str) -> str:
    """Returns the id of a channel or a role; "" for none."""
    return _one_id(text) if text else ""


def _ids(text: str) -> str:
    """Returns the ids of at most MOST channels or roles, each once, in order; "" for none."""
    found = sorted({_one_id(part) for part in text.split(",")}, key=int) if text else []
    if len(found) > MOST:
        raise RuleError("preference.too_many", n=MOST)
    return ",".join(found)


def _one_id(text: str) -> str:
    if not ID.fullmatch(text):
        raise RuleError("preference.not_a_channel", value=text)
    return text


def read_ids(value: str) -> frozenset[int]:
    """Returns the ids in the value of a preference for several channels or roles."""
    return frozenset(map(int, value.split(","))) if value else frozenset()


def mentions_of(kind: str, ids: Iterable[int]) -> str:
    """Formats mentions of channels (``#``) or roles (``@&``)."""
    return ", ".join(f"<{kind}{one}>" for one in sorted(ids))


def _clock(text: str) -> str:
    """Returns a time control in its canonical text; "" for none."""
    return str(TimeControl.parse(text)) if text else ""


def _hour(text: str) -> str:
    """Returns a full hour of the day as two digits."""
    number, colon, minutes = text.strip().partition(":")
    if not (
        number.isdecimal()
        and len(number) <= 2
        and int(number) < 24
        and minutes in {"", "00"}
        and bool(colon) == bool(minutes)
    ):
        raise RuleError("preference.not_an_hour", value=text)
    return f"{int(number):02}"


THEMES: Final = ("wood", "slate", "contrast")
USER: Final = (
    # auto: the language of the user's Discord client
    Preference("language", ("auto", "en", "es"), "auto"),
    # the colours of boards that only the user sees
    Preference("theme", THEMES, "wood"),
    # the side that is drawn below, in private messages and on the public board in the user's turn
    Preference("below", ("own", "mover", "first"), "own"),
    # whether to ask before a turn is played; long: only for a turn of several steps
    Preference("confirm", ("always", "long", "never"), "long", "play"),
    # whether forced turns are played automatically; forced passes always are
    Preference("forced", ("play", "ask"), "play", "play"),
    # auto: the dice are rolled at once, without asking whether the user wants to double
    Preference("roll", ("ask", "auto"), "ask", "play"),
    # whether leaderboards show the user
    Preference("leaderboard", ("show", "hide"), "show", "play"),
    # the user's time zone; "": UTC
    Preference("zone", (), "", "time", read_zone),
    # rest hours: the daily hours in which the user's game clocks stop, in that zone; "": none
    Preference("rest", (), "", "time", read_span),
    # the days of the week on which the user's game clocks stop
    Preference("weekend", ("none", "sat_sun", "fri_sat"), "none", "time"),
    # a ping with every turn, or one message a day
    Preference("pings", ("turn", "digest"), "turn", "notifications"),
    Preference("digest_hour", (), "09", "notifications", _hour),
    # quiet hours: the daily hours without notifications; "": none
    Preference("quiet", (), "", "notifications", read_span),
    # the time of reminders: after 80 % of a turn's time (share), an hour or a day before the deadline
    Preference("reminders", ("both", "hour", "day", "share", "none"), "both", "notifications"),
    # the last known language of the user's Discord client, for messages that answer no interaction; "": not known
    Preference("client_language", ("", "en", "es"), "", page=""),
)
SERVER: Final = (
    # taken: a game gets a thread only if another game runs in the channel; always: every game gets one
    Preference("threads", ("taken", "always"), "taken"),
    # the previous board: strip removes its buttons, delete deletes it, edit turns it into the present board
    Preference("old_board", ("strip", "delete", "edit"), "strip"),
    # the minutes after which the machine accepts a challenge to anyone; never: it does not
    Preference("machine_seeks", ("never", "10", "60", "360", "1440"), "never"),
    # where the machine may be played; threads: every game against it gets one
    Preference("machine", ("everywhere", "threads", "nowhere"), "everywhere", "machine"),
    # the channels in which it may be played, with their threads; "": all
    Preference("machine_channels", (), "", "machine", _ids, channel=True, most=MOST),
    # the roles whose members may play it; "": everybody may
    Preference("machine_roles", (), "", "machine", _ids, role=True, most=MOST),
    # whether games against it may be rated
    Preference("machine_rated", ("no", "yes"), "no", "machine"),
    # auto: the language of the server on Discord
    Preference("language", ("auto", "en", "es"), "auto", "language"),
    # players: a game between two who share a language is in it; server: every game is in the server's language
    Preference("game_language", ("players", "server"), "players", "language"),
    # the colours of public boards
    Preference("theme", THEMES, "wood", "language"),
    # the default time control of a challenge; "": no clock
    Preference("clock", (), "", "time", _clock),
    # the consequence when time is up: an immediate loss, or the opponent may claim
    Preference("timeout_policy", ("loss", "claim"), "loss", "time"),
    # the most days that a time control may give one turn, bank included
    Preference("longest", ("1", "3", "7", "14", "30", "90"), "30", "time"),
    # the days of vacation a year that count here
    Preference("vacation", ("0", "14", "28", "42"), "28", "time"),
    # the channel for pings that cannot be delivered otherwise; "": none
    Preference("notification_channel", (), "", "notifications", _id, channel=True),
    # the role that may create and run tournaments, besides the server's managers; "": none
    Preference("tournament_role", (), "", "notifications", _id, role=True),
)
SCOPES: Final[Mapping[str, Mapping[str, Preference]]] = {
    scope: MappingProxyType({preference.key: preference for preference in listed})
    for scope, listed in ((OF_USER, USER), (OF_SERVER, SERVER))
}
DEFAULTS: Final[Mapping[str, Mapping[str, str]]] = {
    scope: MappingProxyType({preference.key: preference.default for preference in listed.values()})
    for scope, listed in SCOPES.items()
}


def offers(scope: str, key: str, value: str) -> bool:
    """Returns whether the scope has this preference, and the value is valid for it."""
    preference = SCOPES[scope].get(key)
    return preference is not None and preference.offers(value)
