"""``/abak challenge``, and "Challenge" in a user's menu."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands

from bot.challenges import form, views
from bot.challenges.proposal import DRAWN, Wishes, own_options
from bot.clocks import limits
from bot.clocks import typed as typed_time
from bot.core.interactions.answer import Answer, Context, Interaction
from bot.core.interactions.command_texts import CHOICES, GAME_CHOICES, IN_SERVERS, Command, Text, text
from bot.core.interactions.declaration import slash
from bot.core.interactions.press import Press
from bot.core.interactions.suggesting import suggests
from bot.core.translations import CODES, language, plain
from bot.players.asker import language_of
from bot.players.machines import LEVELS, Machines, is_machine, machine_title
from bot.players.service import PreferenceService
from engine.core.errors import Refused
from engine.core.game import Option, OptionValue
from engine.kits.cube import LONGEST, OFF, ON
from engine.match.match import BANKS, MOST_GAMES
from engine.registry import GAMES

NO_LAYOUT: Final = "?"
"""The value of the suggestion "no layouts", as Discord requires a value. It is refused like an unknown layout."""
CUBE_CHOICES: Final = [app_commands.Choice(name=text(f"option.cube.{choice}"), value=choice) for choice in (OFF, ON)]
BANK_CHOICES: Final = [app_commands.Choice(name=text(f"option.bank.{choice}"), value=choice) for choice in BANKS]
SIDES: Final = dict.fromkeys(seat for game in GAMES.values() for seat in game.seats)
SIDE_CHOICES: Final = [
    *(app_commands.Choice(name=text(f"seat.{side}"), value=side) for side in SIDES),
    app_commands.Choice(name=text("option.side.drawn"), value=DRAWN),
]
Points: TypeAlias = app_commands.Range[int, 0, LONGEST]
Games: TypeAlias = app_commands.Range[int, 1, MOST_GAMES]
Level: TypeAlias = app_commands.Range[int, LEVELS[0], LEVELS[-1]]


def merged(options: Iterable[Option]) -> list[Option]:
    """Merges options of the same key into one, which takes the values of all of them.

    A value that only another game allows is refused later by the rules of the game.
    """
    found: dict[str, Option] = {}
    for option in options:
        there = found.setdefault(option.key, option)
        choices = tuple(dict.fromkeys([*there.choices, *option.choices]))
        low, high = min(there.low, option.low), max(there.high, option.high)
        found[option.key] = replace(there, choices=choices, low=low, high=high)
    return [*found.values()]


OWN: Final = merged(option for game in GAMES for option in own_options(game))
"""The options that only some games have."""


def with_options(own: Sequence[Option]) -> Callable[[Callable[..., Any]], Any]:
    """Declares a parameter for each option in place of the function's ``**own``, as discord.py reads the signature."""

    def declare(function: Any) -> Any:
        signature = inspect.signature(function)
        *written, _ = signature.parameters.values()
        added = [
            inspect.Parameter(option.key, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_type(option) | None)
            for option in own
        ]
        function.__signature__ = signature.replace(parameters=[*written, *added])
        app_commands.choices(**{option.key: _choices(option) for option in own if option.choices})(function)
        return function

    return declare


def _type(option: Option) -> Any:
    return str if option.choices else app_commands.Range[int, option.low, option.high]


def _choices(option: Option) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=text(f"option.{option.key}.{choice}"), value=choice) for choice in option.choices]


def find_layout(game: str | None, typed: str) -> tuple[str, str]:
    """Finds a game and the key of its layout with this name in any language; returns the typed text if there is none.

    Without a game, it is the first game with such a layout.
    """
    searched = _plain(typed)
    for key in GAMES if game is None else (game,):
        for name in layouts_of(key):
            if searched in {_plain(name), *(_plain(language(code)(f"{key}.layout.{name}")) for code in CODES)}:
                return key, name
    return game or next(iter(GAMES)), typed


def layouts_of(game: str) -> Sequence[str]:
    """Returns the keys of a game's layouts; empty if there is only one."""
    return next((option.choices for option in GAMES[game].options if option.key == "layout"), ())


def _plain(name: str) -> str:
    return plain(name.replace("-", " ").replace("_", " "))


def opens_form(interaction: Interaction) -> bool:
    """Returns whether a form asks for the rest: nothing is said, or in a server a person or a game and nothing else."""
    given = {name for name, _ in interaction.namespace}
    opponent = interaction.namespace.opponent  # None if it is not given
    if interaction.guild_id is None or (opponent is not None and opponent.bot):
        return not given
    return given in (set(), {"opponent"}, {"game"})


def menus(context: Context) -> list[app_commands.ContextMenu]:
    async def challenge(interaction: Interaction, person: discord.User) -> None:
        async def work(answer: Answer) -> None:
            await form.show(answer, form.opponent_of(answer, person.id, bot=person.bot))

        await context.answer(interaction, work)

    return [
        app_commands.ContextMenu(name=text("menu.challenge"), callback=challenge, allowed_contexts=IN_SERVERS),
    ]


def commands(context: Context) -> list[Command]:
    @slash(context, "challenge", public=lambda interaction: not opens_form(interaction))
    @app_commands.choices(game=GAME_CHOICES, cube=CUBE_CHOICES, bank=BANK_CHOICES, side=SIDE_CHOICES)
    @with_options(OWN)
    async def challenge(
        answer: Answer,
        opponent: discord.User | None = None,
        level: Level | None = None,
        game: str | None = None,
        layout: Text | None = None,
        points: Points | None = None,
        cube: str | None = None,
        games: Games | None = None,
        time: Text | None = None,
        bank: str | None = None,
        beavers: bool | None = None,
        rated: bool | None = None,
        rating: Text | None = None,
        side: str | None = None,
        jacoby: bool | None = None,
        **own: OptionValue | None,
    ) -> None:
        is_direct = answer.interaction.guild_id is None  # only the machine can be challenged in direct messages
        if is_direct and opens_form(answer.interaction):
            await answer.forward(Press("machine", "me", 0))
            return
        opponent_id = None if opponent is None else form.opponent_of(answer, opponent.id, bot=opponent.bot)
        if opens_form(answer.interaction):
            await form.show(answer, opponent_id, game or next(iter(GAMES)))
            return
        if level is not None:
            if opponent_id is not None and not is_machine(opponent_id):
                raise Refused("challenge.level")
            opponent_id = level
        if opponent_id is None and is_direct:
            opponent_id = answer.service(Machines).usual
        chosen, found = find_layout(game, layout) if layout else (game or next(iter(GAMES)), None)
        wishes = Wishes(
            chosen,
            found,
            points,
            None if cube is None else cube == ON,
            games,
            bank,
            beavers,
            rated,
            rating,
            jacoby,
            {key: value for key, value in own.items() if value is not None},
            side,
        )
        await views.post(answer, wishes, opponent_id, time)

    @suggests(challenge, "time")
    async def times(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggests the readings of the text and the usual time controls, as far as the server allows them."""
        say = await language_of(context, interaction)
        server = await context.services[PreferenceService].of_server(interaction.guild_id)
        found = typed_time.suggested(typed, limits.default_control(server), say)
        offered = [(name, value) for name, value in found if limits.allows(server, typed_time.readings(value)[0])]
        offered = offered or typed_time.explain_unfit(typed, server, say)
        return [app_commands.Choice(name=name, value=value) for name, value in offered[:CHOICES]]

    @suggests(challenge, "level")
    async def levels(interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        """Suggests the levels of the chosen game, or of the default game if none is chosen."""
        say = await language_of(context, interaction)
        chosen = getattr(interaction.namespace, "game", None)
        offered = context.services[Machines].levels_in(chosen if chosen in GAMES else next(iter(GAMES)))
        return [
            app_commands.Choice(name=machine_title(level, say), value=level)
            for level in offered
            if str(level).startswith(typed.strip())
        ]

    @suggests(challenge, "layout")
    async def layouts(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggests the layouts of the chosen game, or of all games if none is chosen. A line says if it has none."""
        say = await language_of(context, interaction)
        chosen = getattr(interaction.namespace, "game", None)
        if chosen in GAMES and not layouts_of(chosen):
            label = say("option.layout.none", game=GAMES[chosen].name)
            return [app_commands.Choice(name=label, value=typed or NO_LAYOUT)]
        searched = _plain(typed)
        games = [chosen] if chosen in GAMES else [*GAMES]
        shown = [(say(f"{game}.layout.{name}"), name) for game in games for name in layouts_of(game)]
        fitting = {name: text for text, name in shown[::-1] if searched in _plain(text) or searched in _plain(name)}
        return [app_commands.Choice(name=text, value=name) for name, text in [*fitting.items()][::-1][:CHOICES]]

    return [challenge]
