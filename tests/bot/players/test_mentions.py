"""Users in texts: mentioned, or named if they are machines or former players. There is one place that does it."""

from pathlib import Path

import pytest

import bot
from bot.core.translations import CODES, language
from bot.players.machines import LEVELS, Machines, machine_name, machine_title
from bot.players.mentions import is_former, mention
from engine.core.errors import Refused

ROOT = Path(bot.__file__).parent
ELSEWHERE = {
    "notifications/dispatcher.py",  # pings the user who is written to
}


@pytest.mark.parametrize("code", CODES)
def test_machines_and_former_players_are_never_mentioned(code: str) -> None:
    say = language(code)
    assert mention(50, say) == "<@50>"
    assert mention(-5, say) == say("player.former")
    assert [is_former(user_id) for user_id in (-1, 1)] == [True, False]
    names = [mention(level, say) for level in LEVELS]
    assert len(set(names)) == 8
    assert [
        name for level, name in zip(LEVELS, names, strict=True) if not name.endswith(f"\N{NO-BREAK SPACE}{level}")
    ] == []
    assert machine_name(3, language("en")) == "Machine\N{NO-BREAK SPACE}3"
    assert machine_title(3, language("en")) == "Machine\N{NO-BREAK SPACE}3 (amateur)"


def test_an_installation_offers_the_levels_up_to_its_highest() -> None:
    assert [*Machines(5).levels] == [1, 2, 3, 4, 5]
    assert [Machines(8).levels_in(game)[-1] for game in ("abak", "abalone", "nim")] == [8, 8, 5]
    assert [*Machines(2).levels_in("abalone")] == [1, 2]
    assert (Machines(5).usual, Machines(2).usual) == (3, 2)
    with pytest.raises(Refused, match=r"machine\.off"):
        _ = Machines(0).usual


def test_there_is_one_place_for_mentions() -> None:
    """To mend it: use ``mention`` of bot/players/mentions.py, which knows machines and former players."""
    wrong = {str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py") if "<@{" in path.read_text(encoding="utf-8")}
    sandbox = {name for name in wrong if name.startswith("sandbox/")}
    assert wrong - sandbox - ELSEWHERE == {"players/mentions.py"}
