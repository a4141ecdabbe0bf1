"""What is chosen in the form of a challenge, as the custom_ids of its buttons hold it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.challenges.proposal import Proposal, Wishes, propose
from bot.clocks import limits as time_limits
from bot.clocks import typed as typed_time
from bot.core.interactions.command_texts import CHOICES
from bot.core.interactions.press import InvalidPress
from engine.registry import GAMES, find

USUAL: Final = "u"
"""The time control that is usual in the server, if it is none of the PRESETS."""
CUBE_MATCHES: Final = (3, 5, 7, 11)
MATCHES: Final = (3, 5, 7)
SERIES: Final = (3, 5, 7)
DRAWN: Final = ""
SEATS: Final = (DRAWN, "0", "1")
"""The sides that a challenger can take, in the order of the button that changes them."""
TIMES: Final = (USUAL, *map(str, range(len(typed_time.PRESETS))))


@dataclass(frozen=True, slots=True)
class Draft:
    """What is chosen in the form."""

    game: str
    layout: str
    """Empty: the usual one."""
    kind: str
    """What is played for: ``s`` a single game, ``p3`` a match to 3 points, ``b3`` best of 3; a ``c`` after it: cube."""
    time: str
    """The number of one of the PRESETS, or USUAL."""
    rated: bool
    ratings: str
    """Who may accept, if it has no opponent, as ``write_ratings`` gives it."""
    seat: str = DRAWN
    """The challenger's seat in figures, or DRAWN."""

    def __str__(self) -> str:
        rated = "r" if self.rated else ""
        return f"{self.game},{self.layout},{self.kind},{self.time},{rated},{self.ratings},{self.seat}"

    @classmethod
    def read(cls, text: str) -> "Draft":
        """Raises InvalidPress for what no form says."""
        game, layout, kind, time, rated, ratings, seat = text.split(",")
        return cls(game, layout, kind, time, rated == "r", ratings, seat)

    def __post_init__(self) -> None:
        if (
            self.game not in GAMES
            or self.layout not in {"", *layouts(self.game)}
            or self.kind not in kinds(self.game)
            or self.time not in TIMES
            or self.seat not in SEATS
        ):
            raise InvalidPress

    @property
    def wishes(self) -> Wishes:
        number = int(self.kind[1:].removesuffix("c") or 0)
        return Wishes(
            self.game,
            self.layout or None,
            number if self.kind[0] == "p" else 0,
            self.kind.endswith("c"),
            number if self.kind[0] == "b" else 1,
            rated=self.rated,
            ratings=self.ratings,
            side=find(self.game).seats[int(self.seat)] if self.seat else None,
        )


def kinds(game: str) -> list[str]:
    """What a game can be played for, by the letters of ``Draft.kind``."""
    known = {option.key for option in find(game).options}
    found = ["s"]
    found += ["sc"] if "cube" in known else []
    found += [f"p{points}c" for points in CUBE_MATCHES] if {"points", "cube"} <= known else []
    found += [f"p{points}" for points in MATCHES] if "points" in known else []
    return found + [f"b{games}" for games in SERIES]


def clock_of(draft: Draft, server: Mapping[str, str]) -> str:
    """The draft's time control."""
    return time_limits.default_control(server) if draft.time == USUAL else typed_time.PRESETS[int(draft.time)]


def proposal_of(draft: Draft, opponent: int | None, server: Mapping[str, str]) -> Proposal:
    ratings = draft.ratings if opponent is None else ""
    return propose(replace(draft.wishes, ratings=ratings), clock_of(draft, server), opponent, in_server=True)


def layouts(game: str) -> Sequence[str]:
    """A game's start positions; one that has no other has ``standard``."""
    return next((option.choices for option in find(game).options if option.key == "layout"), ("standard",))


def boards() -> list[tuple[str, str, Any]]:
    """Every game with each of its start positions, as many as a menu holds."""
    return [(key, layout, game) for key, game in GAMES.items() for layout in layouts(key)][:CHOICES]
