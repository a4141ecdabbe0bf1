"""What fits while a player types a move: the legal plays, the most relevant first."""

from typing import Any, Final

from bot.i18n import Language
from engine.core.errors import RuleError
from engine.core.game import Game

LENGTH: Final = 100


def suggestions(game: Game[Any, Any], state: Any, typed: str, say: Language) -> list[tuple[str, str]]:
    """Pairs of what is shown and what is typed for it, at most 100 characters each, best first.

    Plays that begin as typed come before those that hold it elsewhere, and plays that do something (hit, push …)
    before quiet ones. In a game whose turns are too many to list, the next steps after those typed.
    """
    wanted = _plain(typed)
    ranked = []
    for index, (steps, text) in enumerate(_plays(game, state, typed)):
        plain = _plain(text)
        if wanted not in plain:
            continue
        does = _does(game, state, steps, say)
        ranked.append((not plain.startswith(wanted), not does, index, ", ".join([text, *does]), text))
    ranked.sort()
    return [(shown[:LENGTH], text) for *_, shown, text in ranked if len(text) <= LENGTH]


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


def _does(game: Game[Any, Any], state: Any, steps: tuple[Any, ...], say: Language) -> list[str]:
    told: dict[str, None] = {}
    for step in steps:
        told.update(dict.fromkeys(say.note(note) for note in game.notes(state, step)))
        state = game.apply(state, step)
    return list(told)


def _plain(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum() or letter in "/-^+")
