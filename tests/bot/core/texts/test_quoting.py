"""Numbers at the beginning of lines, which Discord would count anew."""

import pytest

from bot.core.texts.quoting import with_own_numbers


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (["Cup", "3. Ana", "4. Ben"], ["Cup", "3. Ana", "4. Ben"]),
        (["1. Ana", "Group 2", "1. Ben"], ["1. Ana", "Group 2", "1. Ben"]),
        (["1. Ana", "1. Ben", "3. Cleo"], ["1\\. Ana", "1\\. Ben", "3\\. Cleo"]),
        (["1. Ana", "", "3. Ben", "on 4. May"], ["1\\. Ana", "", "3\\. Ben", "on 4. May"]),
    ],
)
def test_numbers_that_are_not_in_a_row_are_kept_by_escapes(lines: list[str], shown: list[str]) -> None:
    assert with_own_numbers(lines) == shown
