"""Declared commands: their texts, their options, and how they are answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.core.interactions.command_texts import group
from bot.core.interactions.declaration import slash

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from discord.app_commands import locale_str


class StandInContext:
    """Runs the work of an answer at once."""

    def __init__(self) -> None:
        self.public: list[bool] = []

    async def answer(self, interaction: str, work: Callable[[str], Awaitable[None]], *, public: bool = False) -> None:
        self.public.append(public)
        await work(f"answer to {interaction}")


def key_of(text: locale_str | None) -> str:
    assert text is not None
    return str(text.extras["key"])


def test_texts_are_those_of_the_command_and_of_its_parameters() -> None:
    context: Any = StandInContext()

    @slash(context, "replay", names={"game": "played"}, about={"game": "replayed", "user": "history_user"})
    async def replay(answer: object, game: str = "", user: str = "", days: int = 1) -> None:
        del answer, game, user, days

    assert (replay.name, replay.description) == ("replay", "Look through a game turn by turn")
    assert {one.name: (key_of(one.locale_name), key_of(one.locale_description)) for one in replay.parameters} == {
        "game": ("option.played", "option.replayed.about"),
        "user": ("option.user", "option.history_user.about"),
        "days": ("option.days", "option.days.about"),
    }


async def test_the_function_gets_the_answer_and_the_options() -> None:
    context, called = StandInContext(), []
    declared: Any = context

    @slash(declared, "help")
    async def quiet(answer: object) -> None:
        called.append((answer,))

    move = group("command.move", "command.move.about")

    @slash(declared, "move.here", names={"game": "played"}, about={"game": "here_game"}, parent=move, public=True)
    async def here(answer: object, game: str = "") -> None:
        called.append((answer, game))

    await quiet.callback("a press")  # type: ignore[arg-type, call-arg, misc]
    await here.callback("a press", game="x")  # type: ignore[arg-type, call-arg, misc]
    assert called == [("answer to a press",), ("answer to a press", "x")]
    assert context.public == [False, True]
    assert (here.parent, here.qualified_name) == (move, "move here")
