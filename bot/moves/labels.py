"""Texts of the picker: the choices so far, the prompt, and each choice with its effects."""

from collections.abc import Sequence
from typing import Any, Final

from bot.board.effects import effects, loses, loses_piece, notes_of
from bot.core.translations import Language
from bot.games.notation import in_language
from bot.moves.draft import FROM, TO, Drafted
from bot.moves.targets import chooses_stones
from engine.core.search import Choice

PARTNER_INDEX: Final = 2
"""The index of the word for a second piece that goes to the same place, in games with such steps."""


def prompt(drafted: Drafted, say: Language) -> str:
    """Returns the choices so far and the prompt."""
    lines = [say("picker.so_far", move=in_language(drafted.text_in_order, say))] if drafted.steps else []
    lines += [done] if (done := done_so_far(drafted, say)) else []
    if drafted.complete:
        lines.append(say(question(drafted)))
    elif drafted.words:
        lines.append(ask_where(drafted, say))
    else:
        lines.append(say("picker.what"))
    return "\n".join([*lines, *loss_warning(drafted, say)])


def question(drafted: Drafted) -> str:
    """Returns the key of the question before a complete turn is played."""
    if loses(drafted.game, drafted.before, drafted.state):
        return "picker.confirm_loss"
    own_piece = loses_piece(drafted.game, drafted.before, drafted.steps)
    return "picker.confirm_own_piece" if own_piece else "picker.confirm"


def loss_warning(drafted: Drafted, say: Language) -> list[str]:
    """Returns a warning if every choice loses. If something was chosen, it mentions Undo."""
    if drafted.complete or not all(loses_by(drafted, choice) for _, choice in drafted.offered):
        return []
    return [say("picker.all_lose" if drafted.undone() is None else "picker.all_lose_undo")]


def done_so_far(drafted: Drafted, say: Language) -> str:
    """Returns the effects of the chosen steps, and their number in games that count them;
    "" if there are no effects.
    """
    game, steps = drafted.game, drafted.steps
    done = effects(notes_of(game, drafted.before, steps), say)
    if steps and not drafted.complete and say.has(f"{game.key}.stepped"):
        done = [say(f"{game.key}.stepped", n=len(steps)), *done]
    return f"→ {'; '.join(done)}" if done else ""


def ask_where(drafted: Drafted, say: Language) -> str:
    """Asks for the next word after those chosen. A group names its first piece itself, so that piece is left out."""
    following = (*drafted.words[1:], "")
    said = [word for word, then in zip(drafted.words, following, strict=True) if not then.startswith(f"{word}-")]
    return say("picker.where", piece=" ".join(word_text(drafted.game.key, word, say) for word in said))


def menu_prompt(drafted: Drafted, choices: Sequence[Choice[Any]], say: Language, *, alone: bool) -> str:
    """Returns what a menu of choices asks: where to, if they all move one piece. ``alone``: there are no buttons."""
    pieces = {choice.word.split(" → ")[0] for choice in choices}
    if not drafted.words and len(pieces) == 1:
        return say("picker.where", piece=word_text(drafted.game.key, pieces.pop(), say))
    return say("picker.choose" if alone else "picker.more")


def word_text(game: str, word: str, say: Language) -> str:
    """Writes a word of a path for players. Most are cells, shown as they are; a group is ``c3-c5``."""
    key, group = f"{game}.word.{word}", f"{game}.word.group"
    if say.has(key):
        return say(key)
    first, dash, last = word.partition("-")
    return say(group, first=first, last=last) if dash and say.has(group) else word


def words_text(game: str, words: Sequence[str], chosen: int, say: Language) -> str:
    """Writes the rest of a path after ``chosen`` words: ``14 → 10``; for a piece that goes to the same place: ``with
    12``.
    """
    shown = [word_text(game, word, say) for word in words]
    apart = max(PARTNER_INDEX - chosen, 0) if say.has(f"{game}.word.with") else len(shown)
    partners = [say(f"{game}.word.with", first=word) for word in shown[apart:]]
    return " ".join([*([" → ".join(shown[:apart])] if apart else []), *partners])


def plain_label(drafted: Drafted, choice: Choice[Any], say: Language, *, named: bool = True) -> str:
    """Writes a choice without its effects, for who is to find them out; but with the target that the board marks.

    ``named``: with the piece's name, if it matters.
    """
    game, words = drafted.game, choice.word.split(" → ")
    piece = piece_of(drafted, choice, say) if named else []
    text = " ".join([words_text(game.key, words, len(drafted.words), say), *piece])
    if choice.step is None:
        return ", ".join([text, *moved_together(drafted, choice, say)])
    goal = next((mark.cell for mark in drafted.marks[choice.step] if mark.kind == TO), words[-1])
    marked = goal != words[-1] and not chooses_stones(drafted)
    beyond = [note for note in game.notes(drafted.state, choice.step) if marked and goal in note.params.values()]
    return ", ".join([step_text(drafted, choice.step, say) or text, *map(say.note, beyond)])


def label(drafted: Drafted, choice: Choice[Any], say: Language) -> str:
    """Writes a choice with its effects: ``8 → 5 guard, hits``. An ellipsis marks a chosen group whose target is still
    open.
    """
    game, state = drafted.game, drafted.state
    words = choice.word.split(" → ")
    text = " ".join([words_text(game.key, words, len(drafted.words), say), *piece_of(drafted, choice, say)])
    ends = [say(f"{game.key}.ends_turn")] if ends_turn(drafted, choice, say) else []
    lost = [say("picker.loses")] if loses_by(drafted, choice) else []
    if choice.step is None:
        together = moved_together(drafted, choice, say)
        return f"{', '.join([text, *together, *ends])}{'…' if together else ''}{''.join(f', {said}' for said in lost)}"
    notes = game.notes(state, choice.step)
    if any(note.key.endswith((".loses", ".wins")) for note in notes):  # the text says enough
        ends, lost = [], []
    said = [say.note(note) for note in notes if not ends or set(note.params.values()) != {words[-1]}]
    return ", ".join([step_text(drafted, choice.step, say) or text, *ends, *lost, *said])


def piece_of(drafted: Drafted, choice: Choice[Any], say: Language) -> list[str]:
    """Returns the piece that a choice moves, if its name matters and it is not chosen yet."""
    named = {drafted.game.piece(drafted.state, step) for step in choice.steps}
    note = named.pop()
    return [] if drafted.words or named or note is None else [say.note(note)]


def moved_together(drafted: Drafted, choice: Choice[Any], say: Language) -> list[str]:
    """Returns the number of pieces in a group, in games where a single piece can move as well."""
    if not drafted.words or not say.has(f"{drafted.game.key}.together"):
        return []
    counts = {sum(mark.kind == FROM for mark in drafted.marks[step]) for step in choice.steps}
    n = counts.pop()
    return [] if counts or n == 1 else [say(f"{drafted.game.key}.together", n=n)]


def step_text(drafted: Drafted, step: Any, say: Language) -> str:
    """Writes a whole step in notation, with the number of its pieces, in games in which pieces move
    together; else "".
    """
    game = drafted.game
    if not say.has(f"{game.key}.together"):
        return ""
    n = sum(mark.kind == FROM for mark in drafted.marks[step])
    together = [say(f"{game.key}.together", n=n)] if n > 1 else []
    return ", ".join([game.format(drafted.state, (step,)), *together])


def ends_turn(drafted: Drafted, choice: Choice[Any], say: Language) -> bool:
    """Returns whether the label has to say that the choice ends the turn: in games with a word for it, where other
    steps may come first.
    """
    if drafted.words or not say.has(f"{drafted.game.key}.ends_turn"):
        return False
    return all(drafted.ends_turn(step) for step in choice.steps)


def loses_by(drafted: Drafted, choice: Choice[Any]) -> bool:
    """Returns whether all steps to which a choice may lead lose the game at once."""
    return all(loses(drafted.game, drafted.before, drafted.after[step]) for step in choice.steps)
