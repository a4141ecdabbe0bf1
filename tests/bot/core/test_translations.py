"""The parameters of a message are translated if the code marks them, and never if users typed them."""

import pytest
from harness.catalogue import messages, placeholders

from bot.core.translations import CODES, MissingMessage, language
from engine.core.errors import RuleError, Translated

USERS = frozenset({"name", "names", "opponent", "other", "player", "first", "second", "winner", "loser", "place"})
"""Parameters that hold names of players, tournaments and channels."""
LIKE_OURS = ("~99d", "~3d12h", "@error.ours", "@seat.white", "@nobody")
"""Names of users that look like what the code marks."""


@pytest.mark.parametrize("code", CODES)
def test_what_is_marked_is_translated(code: str) -> None:
    say = language(code)
    assert say("end.resigned") in say("board.won", player="Ana", how=Translated("@end.resigned"))
    refused = RuleError("clock.range", part="bank", least=Translated("~5s"), most=Translated("~1d12h"))
    assert say.length(36 * 3_600_000) in say.error(refused)
    with pytest.raises(MissingMessage):
        say("board.won", player="Ana", how=Translated("@nothing.of_ours"))


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", LIKE_OURS)
def test_a_name_is_never_translated(code: str, name: str) -> None:
    """In any message that holds one."""
    say, shown = language(code), 0
    for key, message in messages(code).items():
        needs = placeholders(message)
        if named := needs & USERS:
            given: dict[str, str | int] = dict.fromkeys(needs, "-") | {"n": 2}
            assert say(key, **given | dict.fromkeys(named, name)).count(name) >= len(named), key
            shown += 1
    assert shown > 100


@pytest.mark.parametrize("code", CODES)
def test_no_message_stands_in_place_of_a_name(code: str) -> None:
    """As one would if its key were that of a parameter with a value, such as ``abak.stone.G``."""
    prefixes = {
        f"{key.partition('.')[0]}.{parameter}."
        for key, message in messages(code).items()
        for parameter in placeholders(message) & USERS
    }
    assert [key for key in messages(code) if key.startswith(tuple(prefixes))] == []


@pytest.mark.parametrize("name", LIKE_OURS)
def test_what_a_refusal_repeats_is_never_translated(name: str) -> None:
    said = language("en").error(RuleError("preference.choice", preference="theme", value=name, choices="-"))
    assert name in said.replace("\\", "")
