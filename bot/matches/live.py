"""A match with its players and its place."""

from dataclasses import dataclass, replace
from typing import Any

from bot.games.new_game import NewGame
from bot.games.stored import Place
from engine.core.table import Table
from engine.match.match import Match, MatchResult, Terms


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """A match after some of its games. ``players`` are users, in the order of the match's players."""

    match: Match
    players: tuple[int, int]
    place: Place
    locale: str
    ended: int | None = None
    """The moment of its end, in ms since 1970."""

    @property
    def id(self) -> str:
        return self.match.header.id

    @property
    def terms(self) -> Terms:
        return self.match.terms

    @property
    def score(self) -> tuple[float, float]:
        return self.match.score

    @property
    def result(self) -> MatchResult | None:
        return self.match.result

    @property
    def finished(self) -> int:
        """The number of games that have ended."""
        return len(self.match.results)

    @property
    def is_over(self) -> bool:
        return self.match.result is not None

    def after(self, finished: int) -> "LiveMatch":
        """Returns the match after its first ``finished`` games."""
        if finished >= self.finished:
            return self
        earlier = replace(self.match, results=self.match.results[:finished])
        return replace(self, match=earlier, ended=None)

    def with_game(self, table: Table[Any, Any], ended: int) -> "LiveMatch":
        """Returns the match after its next game, which ended at that time, in ms since 1970."""
        then = replace(self, match=self.match.add(table))
        return replace(then, ended=ended) if then.is_over else then

    def seated(self) -> tuple[int, int]:
        """Returns the users in the first and the second seat of the next game."""
        first, second = self.match.players_by_seat
        return self.players[first], self.players[second]

    def next_game(self, secret: str | None) -> NewGame:
        """Returns the next game; ``secret``: see ``NewGame``."""
        header, match = self.match.header, self.match
        return NewGame(
            header.game,
            match.next_options,
            self.place,
            self.locale,
            match.next_clock,
            header.timeout_policy,
            rated=header.rated,
            secret=secret,
            match=(header.id, self.finished + 1),
            banks=match.next_banks,
            version=header.version,
        )

    def scores_by_seat(self, seated: tuple[int, int]) -> tuple[float, float]:
        return self.score if seated == self.players else (self.score[1], self.score[0])
