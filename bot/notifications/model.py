"""The notification, its kinds about games, the digest, and the kinds that other rooms add."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from bot.core.translations import Language

PENDING: Final = "pending"
SENT: Final = "sent"
FAILED: Final = "failed"
VOID: Final = "void"
FOR_DIGEST: Final = "digest"
DIGEST_ROUTE: Final = "digest"
"""The route of a notification that was sent in a digest."""

TURN: Final = "turn"
"""It is the user's turn, and the board could not be posted."""
PING: Final = "ping"
"""It is the user's turn: sent when their quiet hours end."""
REMINDER: Final = "reminder"
DIGEST: Final = "digest"
TIME_UP: Final = "time_up"
RELOCATED: Final = "relocated"
GONE: Final = "gone"
"""The channel in which the game is played was deleted."""
PAUSED: Final = "paused"
RESUMED: Final = "resumed"
CONDITIONAL_GONE: Final = "conditional_gone"
LEFT: Final = "left"
ADJUDICATED: Final = "adjudicated"
"""A decision from outside has ended the game."""
ONLY_THIS_TURN: Final = (TURN, PING, REMINDER)
"""The kinds that lose their reason when the game goes on."""

DIRECT: Final = "dm"
PLACE: Final = "place"
SERVER: Final = "server"
BESIDE_ANSWER: Final = "answer"
"""The routes to a user. BESIDE_ANSWER: beside the answer to their next command."""
ROUTES: Final = {TURN: (DIRECT, SERVER), GONE: (DIRECT, SERVER), DIGEST: (DIRECT,), CONDITIONAL_GONE: (DIRECT,)}
DEFAULT_ROUTES: Final = (DIRECT, PLACE, SERVER)


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification to one user. Of several with the same ``key``, only one is sent."""

    id: str
    user_id: int
    kind: str
    due: int
    game_id: str | None = None
    subject: str = ""
    """The subject of a notification of another room, such as the id of a tournament; empty for games and digests."""
    seq: int = 0
    n: int = 0
    guild_id: int | None = None
    channel_id: int | None = None
    body: Mapping[str, Any] = field(default_factory=dict)
    """The parameters of its text."""
    state: str = PENDING
    attempts: int = 0
    via: str = ""
    """The route by which it reached the user."""
    sent_to: int | None = None
    """The channel in which an earlier attempt may have arrived, if there is one."""
    leased_until: int = field(default=0, compare=False)
    """The end of the lease, if it is leased. It identifies the lease, as no two leases of a notification
    end at once.
    """

    @property
    def key(self) -> str:
        return key_of(self.user_id, self.subject or self.game_id, self.seq, self.kind, self.n)


def key_of(user_id: int, subject: str | None, seq: int, kind: str, n: int = 0) -> str:
    """Returns the key of a notification. ``subject``: the id of its game or other subject."""
    return f"{user_id}:{subject or '-'}:{seq}:{kind}:{n}"


Text: TypeAlias = Callable[[Notification, Language], Awaitable[str]]
IsCurrent: TypeAlias = Callable[[Notification], Awaitable[bool]]
Buttons: TypeAlias = Callable[[Notification, Language], Awaitable[Sequence[Any]]]


async def always(notification: Notification) -> bool:
    """Returns True: stands for a notification that always has a reason."""
    del notification
    return True


async def no_buttons(notification: Notification, say: Language) -> Sequence[Any]:
    del notification, say
    return ()


@dataclass(frozen=True, slots=True)
class NoticeKind:
    """A kind of notification that another room writes (``NotificationService.notice``)."""

    text: Text
    """Returns a line: the text of its own message, or a line of a digest."""
    is_current: IsCurrent = always
    """Returns whether there is still a reason to send it. Called before each attempt."""
    routes: tuple[str, ...] = DEFAULT_ROUTES
    """The routes to try, in this order. After that, it is shown beside the answer to the user's next command."""
    in_digest: bool = True
    """Whether users with a digest read it there."""
    buttons: Buttons = no_buttons
    """Returns the message's buttons besides the one that every notification has: items of discord.ui, at most four."""
