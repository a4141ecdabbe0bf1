"""Typed conditional moves: ``/abak move conditional`` and its autocompletion."""

from collections.abc import Mapping
from typing import Final

from bot.conditional import double_views
from bot.conditional.logic.doubles import has_cube
from bot.conditional.logic.move import ConditionalMove
from bot.conditional.logic.tree import position_if_legal
from bot.conditional.picker import ask_to_resign, pick, take
from bot.conditional.service import RESIGN, ConditionalMoveService, Tree
from bot.conditional.views import Spot, show
from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.command_texts import CHOICES
from bot.core.interactions.press import DIGITS
from bot.core.translations import CODES, Language, language
from bot.games.live import LiveGame
from bot.games.notation import to_notation
from bot.moves.draft import Draft, Drafted, follow
from bot.moves.suggestions import LENGTH, suggestions
from engine.core.errors import Refused, RuleError

LINE: Final = " · "


async def command(answer: Answer, live: LiveGame, condition: str, reply: str, after: str) -> None:
    """Stores the typed turns; shows the picker if something is missing. Raises Refused.

    In a game with a cube it shows the panel for the next double.
    """
    service = answer.service(ConditionalMoveService)
    if has_cube(live.table):
        await double_views.show(answer, live)
        return
    tree: Tree = await service.tree(live, answer.user_id)
    spot = Spot(live, tree, _move(tree, after))
    if after and spot.move is None:
        raise Refused("conditional.gone")
    if not condition or spot.over or spot.needs_reply:
        await show(answer, spot, fresh=True)
        return
    try:
        case = _typed(spot, condition)
        if not case.complete:
            await pick(answer, spot, case, fresh=True)
            return
        move = await service.add_condition(live, answer.user_id, spot.move.id if spot.move else None, case.steps)
        spot = Spot(live, await service.tree(live, answer.user_id), move)
        if reply and spot.needs_reply and is_resign_word(reply):
            await ask_to_resign(answer, spot, again=False, fresh=True)
            return
        if reply and not spot.needs_reply:
            raise Refused("conditional.answered")
        answered = _typed(spot, reply) if reply else None
    except RuleError as error:
        await show(answer, spot, fresh=True, notice=answer.say.error(error))
        return
    if not spot.needs_reply:
        await show(answer, spot, fresh=True)
    else:
        await take(answer, spot, answered or follow(tree.game, spot.state, Draft()), fresh=True)


def _move(tree: Tree, after: str) -> ConditionalMove | None:
    """Returns the move after which one is added; None if the text is no id. Raises Refused if there is no such move."""
    return tree.get(int(after)) if DIGITS.fullmatch(after) else None


def _typed(spot: Spot, text: str) -> Drafted:
    """Returns a typed turn at a place of the tree, or its beginning. Raises RuleError."""
    game, state = spot.tree.game, spot.state
    return follow(game, state, Draft.of(game, state, game.parse(state, to_notation(game.key, text))))


def is_resign_word(text: str) -> bool:
    return text.strip().casefold() in {
        RESIGN,
        *(language(code)("conditional.resign_word").casefold() for code in CODES),
    }


async def choices(
    context: Context, live: LiveGame, user_id: int, option: str, typed: str, given: Mapping[str, str], say: Language
) -> list[tuple[str, str]]:
    """Suggests values for an option of the command as pairs of a label and its value; ``given`` has the
    other options.
    """
    try:
        tree: Tree = await context.services[ConditionalMoveService].tree(live, user_id)
        if option == "after":
            return lines(tree, typed)
        after = given.get("after", "")
        spot = Spot(live, tree, _move(tree, after))
        if spot.over or spot.needs_reply:
            return []
        if option == "condition":
            return suggestions(tree.game, spot.state, typed, say, CHOICES)
        then = position_if_legal(tree.game, spot.state, to_notation(tree.game.key, given.get("condition", "")))
    except RuleError:
        return []
    if then is None or tree.game.to_act(then) != tree.seat:
        return []
    word = say("conditional.resign_word")
    giving_up = [(word, RESIGN)] if typed and word.casefold().startswith(typed.strip().casefold()) else []
    return [*giving_up, *suggestions(tree.game, then, typed, say, CHOICES)]


def lines(tree: Tree, typed: str) -> list[tuple[str, str]]:
    """Returns the moves after which another can come: the line up to each, cut at its beginning if long, and the move's
    id.
    """
    found = []
    for move in tree.moves:
        if move.reply in {None, RESIGN}:
            continue
        shown = LINE.join(f"{step.condition} → {step.reply}" for step in tree.line(move.id))
        if typed.casefold() in shown.casefold() or typed == str(move.id):
            found.append((shown if len(shown) <= LENGTH else "…" + shown[1 - LENGTH :], str(move.id)))
    return found
