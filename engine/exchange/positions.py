"""Positions, one a line: those of each decision of a game, or given ones."""

from collections.abc import Callable
from typing import Any, TypeAlias

from engine.core.errors import RuleError
from engine.core.game import CHANCE, Game
from engine.exchange.content import BadLine, Content, Positions, check_size
from engine.exchange.decisions import replayed_game
from engine.games.backgammon import gnubg
from engine.registry import GAMES, find

Writer: TypeAlias = Callable[[Game[Any, Any], Any], str]


def own(game: Game[Any, Any], state: Any) -> str:
    return game.encode(state)


def gnubg_id(game: Game[Any, Any], state: Any) -> str:
    """Writes GNU Backgammon's Position ID and Match ID. Raises RuleError for states beyond them, as with beavers."""
    text = gnubg.write(state)
    size = sum(state.white >> 4 * point & 15 for point in range(26))
    given = game.encode(state)
    if game.encode(gnubg.read(text, size)) != given:
        raise RuleError("exchange.lossy_position", format="gnubgid", position=given)
    return text


def write(content: Content, form: str, writer: Writer) -> str:
    """Writes a line for each position; for a game, at each decision and at the end if a seat is to act there.

    Raises RuleError if there is none.
    """
    lines: list[str] = []
    if isinstance(content, Positions):
        game = find(content.game)
        lines += [writer(game, game.decode(text)) for text in content.texts]
    else:
        for record in content.games:
            replayed = replayed_game(record)
            lines += [writer(replayed.game, turn.before) for turn in replayed.decisions]
            if replayed.table.to_act not in {None, CHANCE}:
                lines.append(writer(replayed.game, replayed.table.state))
    if not lines:
        raise RuleError("exchange.no_positions", format=form)
    return "".join(f"{line}\n" for line in lines)


def read(text: str, most: int, games: tuple[str, ...]) -> Positions:
    """Reads the positions of a text, one a line.

    They are of the first of ``games`` that can read the first position. Raises RuleError.
    """
    numbered = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not numbered:
        raise RuleError("exchange.unknown")
    check_size(len(numbered), most)
    game, error = _game(*numbered[0], games)
    if game is None:
        raise error or RuleError("exchange.unknown")
    texts = []
    for number, line in numbered:
        try:
            texts.append(game.encode(game.decode(line)))
        except RuleError as cause:
            raise BadLine(number, line, cause) from cause
    return Positions(game.key, tuple(texts))


def looks_like(text: str, games: tuple[str, ...], begins: str = "") -> bool:
    """Returns whether the first line is a position of one of the games, or starts with ``begins``."""
    first = _first(text)
    return bool(begins and first.upper().startswith(begins)) or _game(1, first, games)[0] is not None


def looks_like_gnubg_id(text: str) -> bool:
    return gnubg.looks_like(_first(text))


def _first(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def _game(number: int, line: str, games: tuple[str, ...]) -> tuple[Game[Any, Any] | None, BadLine | None]:
    """Finds the game of a position; else the error of the last game tried."""
    error: BadLine | None = None
    for key in games or tuple(GAMES):
        try:
            find(key).decode(line)
        except RuleError as cause:
            error = BadLine(number, line, cause)
        else:
            return find(key), None
    return None, error
