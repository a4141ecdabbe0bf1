"""Every notification that any service may write has its words: none fails in the dispatcher's hands."""

import ast
from pathlib import Path

import pytest
from fakes.outbox import ANN, begin
from harness.catalogue import messages, placeholders, said_with_parameters

import bot
from bot.conditional import service
from bot.conditional.logic.tree import BREAKS
from bot.conditional.service import TEXTS
from bot.core.translations import CODES, language
from bot.games.service import GameService
from bot.notifications import model as notifications
from bot.notifications import views
from bot.notifications.of_games import ruling_text
from engine.core.adjudication import RULINGS
from engine.core.game import CHANCE
from engine.core.record import Entry, Kind

ROOMS = Path(bot.__file__).parent
SERVICES = sorted([*ROOMS.rglob("service.py"), ROOMS / "notifications" / "of_games.py"])
ABOUT = {"game": "Nim", "opponent": "Ann", "link": "https://discord.com", "when": "soon", "n": 2}
MORE = {
    **{key: {"when"} for key in ("reminder", "reminder_absent", "resume_asked")},
    **{key: {"name"} for key in ("time_walkover_lost", "time_walkover_won", "left_walkover")},
}
"""The parameters that some texts have besides those of all."""
TOLD_BY_THEIR_TEXT = {notifications.TIME_UP, notifications.CONDITIONAL_GONE, notifications.ADJUDICATED}
"""The kinds of which each notification names a text of its own."""


def written_texts() -> set[str]:
    """Returns the kinds and texts of notifications that services name, in ``of_game(…)`` and in the lists
    made for it.
    """
    found = set()
    for path in SERVICES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in {"of_game", "Notification"}:
                found |= {_value(word.value) for word in node.keywords if word.arg == "text"}
                found |= {_value(node.args[2])} if len(node.args) > 2 else set()
            elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "found":
                triples = [one for one in ast.walk(node.value) if isinstance(one, ast.Tuple) and len(one.elts) == 3]
                found |= {_value(element) for triple in triples for element in triple.elts[1:]}
    rulings = {ruling_text(Entry(0, Kind.ADJUDICATE, CHANCE, body), 0) for body in RULINGS}
    return {text for text in found if text} | set(TEXTS.values()) | rulings


def _value(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return str(getattr(notifications, node.id, "")) if isinstance(node, ast.Name) and node.id.isupper() else ""


@pytest.mark.parametrize("code", CODES)
def test_every_notice_has_its_message(code: str) -> None:
    texts = written_texts() - TOLD_BY_THEIR_TEXT
    assert {
        "turn",
        "ping",
        "reminder",
        "relocated",
        "gone",
        "paused",
        "resumed",
        "time_lost",
        "forfeited_lost",
        "conditional_other",
    } <= texts
    for text in texts:
        assert language(code)(f"notification.{text}", **ABOUT)


@pytest.mark.parametrize("code", CODES)
async def test_texts_about_games_need_what_is_given_for_them(code: str, games: GameService) -> None:
    """Each names the game; what ``views.line`` gives to some of them alone, these name, too."""
    say, known = language(code), messages(code)
    about = views.game_params(await begin(games), ANN, say)
    keys = {key for key in known if key.startswith("notification.")} - said_with_parameters()
    assert len(keys) > 30
    for key in keys:
        more = MORE.get(key.removeprefix("notification."), set())
        assert say(key, **about, **dict.fromkeys(more, "soon")), key
        assert {"game"} | more <= placeholders(known[key]), key


def test_every_reason_to_drop_conditional_moves_has_its_text() -> None:
    assert set(TEXTS) == {service.OTHER, service.ILLEGAL, *BREAKS.values()}
