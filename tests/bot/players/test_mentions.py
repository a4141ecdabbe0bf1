"""Users in texts: mentioned, or called former players. There is one place that does it."""

from pathlib import Path

import pytest

import bot
from bot.core.translations import CODES, language
from bot.players.mentions import is_former, mention

ROOT = Path(bot.__file__).parent
ELSEWHERE = {
    "notifications/dispatcher.py",  # pings the user who is written to
}


@pytest.mark.parametrize("code", CODES)
def test_a_former_player_is_never_mentioned(code: str) -> None:
    say = language(code)
    assert mention(5, say) == "<@5>"
    assert mention(-5, say) == say("player.former")
    assert [is_former(user_id) for user_id in (-1, 1)] == [True, False]


def test_there_is_one_place_for_mentions() -> None:
    """To mend it: use ``mention`` of bot/players/mentions.py, which knows former players."""
    wrong = {str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py") if "<@{" in path.read_text(encoding="utf-8")}
    sandbox = {name for name in wrong if name.startswith("sandbox/")}
    assert wrong - sandbox - ELSEWHERE == {"players/mentions.py"}
