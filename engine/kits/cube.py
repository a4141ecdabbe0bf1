"""The doubling cube: roll or double, take or pass (backgammon.md, Turn 1, Cube and matches).

A cube action is a step that moves nothing on the board. A side that may double says ``roll`` or ``double``; otherwise
the dice are rolled for it. The answer to ``double`` is ``take``, ``pass`` or, in unlimited play with beavers,
``beaver``: the doubled side redoubles at once and keeps the cube, and play goes on for four times the former value.
Nobody can double before the opening roll, the first roll of a game. There are no automatic doubles, and a beaver is not
answered by another redouble.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Protocol

from engine.core.errors import IllegalMove, RuleError
from engine.core.game import CHANCE, Note, Option, Options, Outcome, Seat, win
from engine.kits.dice import OPENING_TEXTS, ROLL_TEXTS, Roll
from engine.kits.xgid import NO_MATCH, Doubling, MatchFields, number_of

REFUSALS: Final = (
    "cube.answer_first",
    "cube.roll_first",
    "cube.no_offer",
    "cube.no_beavers",
    "cube.not_yours",
    "cube.highest",
    "cube.after_roll",
    "cube.rolled",
    "cube.falls",
    "cube.opening",
    "cube.not_in_play",
    "cube.unreadable",
)
"""The refusals that the topic about the cube explains; the others belong to matches."""
ON: Final = "on"
OFF: Final = "off"
LONGEST: Final = 25
"""The most points that a match is played to."""
OPTIONS: Final = (
    Option("cube", OFF, (OFF, ON)),
    Option("jacoby", ON, (ON, OFF)),
    Option("beavers", OFF, (OFF, ON)),
    Option("points", 0, low=0, high=LONGEST, by_match=True),
    Option("score0", 0, low=0, high=LONGEST - 1, by_match=True),
    Option("score1", 0, low=0, high=LONGEST - 1, by_match=True),
    Option("crawford", OFF, (OFF, ON), by_match=True),
)
"""``cube``: whether there is a cube.

``jacoby``: whether, with a cube in unlimited play, gammons count single until it has been turned. ``beavers``: whether,
with a cube in unlimited play, a double may be answered by a beaver. ``points``: the length of the match, 0 for
unlimited play. ``score0``, ``score1``: each seat's points before the game. ``crawford``: whether this is the match's
game without doubling.
"""

JACOBY_FLAG: Final = 1
BEAVER_FLAG: Final = 2
"""The bits of the rules field in unlimited play, as eXtreme Gammon writes it; in a match 1 is the Crawford game."""
HIGHEST: Final = 30
"""The largest exponent of the cube, even if a position text allows more."""
OWNERS: Final = MappingProxyType({"1": 0, "-1": 1})
"""The cube's owner by the position text's field; other values mean that it is in the middle."""


class CubeAction(StrEnum):
    """A step of the cube; its value is its text."""

    ROLL = "roll"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"  # noqa: S105 — a word of the notation
    BEAVER = "beaver"


WORDS: Final[Mapping[str, CubeAction]] = MappingProxyType(
    {
        **dict.fromkeys(("roll", "rolls", "rolldice"), CubeAction.ROLL),
        **dict.fromkeys(("double", "doubles", "redouble", "redoubles"), CubeAction.DOUBLE),
        **dict.fromkeys(("take", "takes", "accept", "accepts"), CubeAction.TAKE),
        **dict.fromkeys(("pass", "passes", "drop", "drops"), CubeAction.PASS),
        **dict.fromkeys(("beaver", "beavers"), CubeAction.BEAVER),
    }
)
"""The words that may be typed for a cube action."""

TURNS: Final[Mapping[CubeAction, int]] = MappingProxyType({CubeAction.TAKE: 1, CubeAction.BEAVER: 2})
"""How often each answer to a double turns the cube, if play goes on."""
ANSWERS: Final = frozenset({CubeAction.TAKE, CubeAction.PASS, CubeAction.BEAVER})


class CubeState(Protocol):
    """The part of a position that the cube needs."""

    @property
    def turn(self) -> Seat: ...
    @property
    def roll(self) -> Roll | None: ...
    @property
    def opening(self) -> bool: ...
    @property
    def fields(self) -> MatchFields: ...


# --- the fields ------------------------------------------------------------------------------------------------------


def fields_of(options: Options) -> MatchFields:
    """Makes the match fields before a game with these options. Raises RuleError for a score that ends the match."""
    points = int(options.get("points", 0))
    fields = NO_MATCH if points == 0 else _match_fields(points, options)
    if options.get("cube", OFF) == OFF:
        return fields
    if points == 0:
        jacoby = JACOBY_FLAG if options.get("jacoby", ON) == ON else 0
        beavers = BEAVER_FLAG if options.get("beavers", OFF) == ON else 0
        fields = replace(fields, rules=str(jacoby + beavers))
    return replace(fields, doubling=Doubling.FREE)


def counts_points(options: Options) -> bool:
    """Returns whether the points of a game matter: there is a cube, or its match is played to points."""
    return options.get("cube", OFF) == ON or bool(options.get("points", 0))


def needed(options: Options, seat: Seat) -> int | None:
    """Counts the points that the seat still needs to win the game's match; None outside a match to points."""
    points = int(options.get("points", 0))
    return points - int(options.get(f"score{seat}", 0)) if points else None


def _match_fields(points: int, options: Options) -> MatchFields:
    """Makes the fields of a game in a match to ``points``. Raises RuleError if a seat has won the match already."""
    white, black = (int(options.get(f"score{seat}", 0)) for seat in (0, 1))
    for seat, score in enumerate((white, black)):
        if score >= points:
            raise RuleError("option.range", option=f"score{seat}", value=score, low=0, high=points - 1)
    crawford = options.get("crawford", OFF) == ON
    return replace(
        NO_MATCH,
        white_score=str(white),
        black_score=str(black),
        rules="1" if crawford else "0",
        length=str(points),
    )


def complete_fields(fields: MatchFields, options: Options | None) -> MatchFields:
    """Completes the fields of a position text by the options, as the text does not say whether a cube is in play."""
    if fields.doubling is Doubling.OUT and (options or {}).get("cube", OFF) == ON:
        return replace(fields, doubling=Doubling.FREE)
    return fields


def without_score(fields: MatchFields) -> MatchFields:
    """Returns the fields without the match: only the cube."""
    return MatchFields(cube=fields.cube, owner=fields.owner, doubling=fields.doubling)


def owner(fields: MatchFields) -> Seat | None:
    return OWNERS.get(fields.owner)


def in_play(fields: MatchFields) -> bool:
    """Returns whether to show a cube: it can be turned, or has been."""
    return fields.doubling is not Doubling.OUT or fields.cube_value > 1


def is_passed(fields: MatchFields) -> bool:
    return fields.doubling is Doubling.PASSED


def after_roll(fields: MatchFields) -> MatchFields:
    return replace(fields, doubling=Doubling.FREE) if fields.doubling is Doubling.ROLLING else fields


def after_cube_action(fields: MatchFields, turn: Seat, call: CubeAction) -> MatchFields:
    """Returns the fields after a legal cube action; ``turn`` is the seat to roll."""
    if call is CubeAction.ROLL:
        return replace(fields, doubling=Doubling.ROLLING)
    if call is CubeAction.DOUBLE:
        return replace(fields, doubling=Doubling.OFFERED)
    if call is CubeAction.PASS:
        return replace(fields, doubling=Doubling.PASSED)
    taker = "-1" if turn == 0 else "1"
    return replace(fields, cube=str(int(fields.cube) + TURNS[call]), owner=taker, doubling=Doubling.ROLLING)


def parse_recorded(state: CubeState, text: str) -> CubeAction | Roll | None:
    """Reads the cube action or roll of a canonical text before a roll; None if illegal. The game is not over."""
    seat = actor(state)
    if seat == CHANCE:
        return (OPENING_TEXTS if state.opening else ROLL_TEXTS).get(text)
    return next((call for call in choices(state) if call.value == text), None)


# --- the rules -------------------------------------------------------------------------------------------------------


def double_refusal(fields: MatchFields, seat: Seat) -> IllegalMove | None:
    """Explains why ``seat`` may not double at the beginning of its turn; None if it may."""
    if fields.doubling is Doubling.OUT:
        return IllegalMove("cube.not_in_play")
    value = fields.cube_value
    if owner(fields) == 1 - seat:
        return IllegalMove("cube.not_yours", value=value)
    length = number_of(fields.length)
    if length and fields.rules == "1":
        return IllegalMove("cube.crawford")
    if int(fields.cube) >= _highest(fields):
        return IllegalMove("cube.highest", value=value)
    if length and number_of((fields.white_score, fields.black_score)[seat]) + value >= length:
        return IllegalMove("cube.dead", value=value)
    return None


def beaver_refusal(fields: MatchFields) -> IllegalMove | None:
    """Explains why the side that is offered a double may not answer by a beaver; None if it may."""
    if number_of(fields.length) or not number_of(fields.rules) & BEAVER_FLAG:
        return IllegalMove("cube.no_beavers")
    if int(fields.cube) + TURNS[CubeAction.BEAVER] > _highest(fields):
        return IllegalMove("cube.highest", value=2 * fields.cube_value)
    return None


def choices(state: CubeState) -> tuple[CubeAction, ...]:
    """Lists the legal cube actions before a roll; none if the dice are rolled without one. The game is not over."""
    doubling = state.fields.doubling
    if doubling is Doubling.OFFERED:
        answers = (CubeAction.TAKE, CubeAction.PASS)
        return (*answers, CubeAction.BEAVER) if beaver_refusal(state.fields) is None else answers
    if doubling is not Doubling.FREE or state.opening or double_refusal(state.fields, state.turn) is not None:
        return ()
    return (CubeAction.ROLL, CubeAction.DOUBLE)


def actor(state: CubeState) -> Seat:
    """Returns the actor before a roll: a seat with a cube action to make, or CHANCE. The game is not over."""
    if state.fields.doubling is Doubling.OFFERED:
        return 1 - state.turn
    return state.turn if choices(state) else CHANCE


def refusal(state: CubeState, call: CubeAction) -> IllegalMove | None:
    """Explains why a cube action may not be made; None if it may. The game is not over."""
    offered = state.fields.doubling is Doubling.OFFERED
    if call in ANSWERS:
        if not offered:
            return IllegalMove("cube.no_offer")
        return beaver_refusal(state.fields) if call is CubeAction.BEAVER else None
    if offered:
        return missing_cube_action(state)
    if state.roll is not None:
        rolls = call is CubeAction.ROLL
        if rolls:
            return IllegalMove("cube.rolled", roll=state.roll.told)
        return double_refusal(state.fields, state.turn) or IllegalMove("cube.after_roll")
    if call in choices(state):
        return None
    if call is CubeAction.ROLL:
        return IllegalMove("cube.falls")
    late = state.fields.doubling is Doubling.ROLLING
    return double_refusal(state.fields, state.turn) or IllegalMove("cube.after_roll" if late else "cube.opening")


def missing_cube_action(state: CubeState) -> IllegalMove | None:
    """Refuses a roll or move because a cube action is due; None if none is. The dice are not rolled yet."""
    if state.fields.doubling is Doubling.OFFERED:
        return IllegalMove("cube.answer_first", value=2 * state.fields.cube_value)
    return IllegalMove("cube.roll_first") if choices(state) else None


def outcome(state: CubeState) -> Outcome:
    """Returns the outcome after a pass: the value of the cube before the double."""
    return win(state.turn, state.fields.cube_value, "end.passed")


def automatic_action(state: CubeState) -> CubeAction | None:
    """Returns ROLL, if it is legal: automatic play rolls and never doubles. The game is not over."""
    return CubeAction.ROLL if state.roll is None and CubeAction.ROLL in choices(state) else None


def _highest(fields: MatchFields) -> int:
    """Returns the largest exponent of the cube that the position allows."""
    return min(number_of(fields.rest[0] if fields.rest else "10"), HIGHEST)


# --- its words -------------------------------------------------------------------------------------------------------


def read(state: CubeState, text: str) -> CubeAction | None:
    """Reads the cube action of a text, legal or not; None if it is none. A ``pass`` may be a turn without a play."""
    call = WORDS.get("".join(filter(str.isalpha, text.casefold())))
    dice_or_no_cube = state.roll is not None or state.fields.doubling is Doubling.OUT
    return None if call is CubeAction.PASS and dice_or_no_cube else call


def notes(state: CubeState, call: CubeAction) -> tuple[Note, ...]:
    value = state.fields.cube_value
    if call is CubeAction.ROLL:
        return (Note("cube.does.rolls"),)
    if call is CubeAction.DOUBLE:
        return (Note("cube.does.doubles", {"value": 2 * value, "n": value}),)
    if call is CubeAction.TAKE:
        return (Note("cube.does.takes", {"value": 2 * value}),)
    if call is CubeAction.BEAVER:
        return (Note("cube.does.beavers", {"value": 4 * value}),)
    return (Note("cube.does.passes", {"n": value}),)
