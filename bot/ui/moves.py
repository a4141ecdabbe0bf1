"""What fits while a player types a move: the legal plays, the most relevant first."""

from typing import Any, Final

from bot.i18n import Language
from bot.ui.effects import effects, notes_of, worth
from engine.core.errors import RuleError
from engine.core.game import Game

LENGTH: Final = 100


def suggestions(game: Game[Any, Any], state: Any, typed: str, say: Language) -> list[tuple[str, str]]:
    """Pairs of what is shown and what is typed for it, at most 100 characters each, best first.

    Plays that begin as typed come first, then those that hold it elsewhere, then those that hold its words in another
    order; of these each time what wins, hits or captures, then what else does something, and what loses last. In a game
    whose turns are too many to list, the next steps after those typed.
    """
    wanted = _plain(typed)
    ranked = []
    for index, (steps, text) in enumerate(_plays(game, state, typed)):
        fits = _fit(typed, wanted, text)
        if fits is None:
            continue
        notes = notes_of(game, state, steps)
        ranked.append((fits, worth(notes), index, ", ".join([text, *effects(notes, say)]), text))
    ranked.sort()
    return [(shown[:LENGTH], text) for *_, shown, text in ranked if len(text) <= LENGTH]


def _fit(typed: str, wanted: str, text: str) -> int | None:
    """How well a play fits what is typed, 0 the best; None if it does not."""
    plain = _plain(text)
    if plain.startswith(wanted):
        return 0
    if wanted in plain:
        return 1
    left = [_plain(word) for word in text.split()]
    for word in map(_plain, typed.split()):
        found = next((other for other in left if other.startswith(word)), None)
        if found is None:
            return None
        left.remove(found)
    return 2


def _plays(game: Game[Any, Any], state: Any, typed: str) -> list[tuple[tuple[Any, ...], str]]:
    if game.listing:
        return [(steps, game.format(state, steps)) for steps, _ in game.turns(state)]
    begun, rest = _begun(game, state, typed)
    actor, at = game.to_act(state), state
    for step in begun:
        at = game.apply(at, step)
    if game.to_act(at) != actor:
        return [(begun, game.format(state, begun))]
    plays = [((*begun, step), game.format(state, (*begun, step))) for step in game.legal(at)]
    return plays if not rest else [play for play in plays if _plain(rest) in _plain(play[1])]


def _begun(game: Game[Any, Any], state: Any, typed: str) -> tuple[tuple[Any, ...], str]:
    """The whole steps at the beginning of what is typed, and the rest."""
    words = typed.split()
    for count in range(len(words), 0, -1):
        try:
            return game.parse(state, " ".join(words[:count])), " ".join(words[count:])
        except RuleError:
            continue
    return (), typed


def _plain(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum() or letter in "/-^+")
