"""The texts of refused forms, so that a form can be opened again with what was typed.

Discord opens no form in answer to a form, so the answer has a button for it. The texts are too long for its custom_id.
They are kept in memory for a while; after that, or after a restart, the form has the present values.
"""

from collections.abc import Mapping
from typing import Final

from bot.core.cache import Cache

AGAIN: Final = "|again"
"""The end of the ``rest`` of a press that opens a form with what was typed."""
CAPACITY: Final = 100_000
"""Bytes of texts."""
LIFETIME: Final = 15 * 60.0
"""As long as an answer that only one user sees can be changed, in seconds."""


class RefusedForms:
    def __init__(self) -> None:
        self._kept: Cache[tuple[int, str], tuple[tuple[str, str], ...]] = Cache(CAPACITY, LIFETIME)

    def keep(self, user_id: int, form: str, filled: tuple[tuple[str, str], ...]) -> None:
        """Keeps the fields of a form as (key, text) pairs. ``form``: its name, with the id of what it is about."""
        self._kept.keep((user_id, form), filled, self._kept.generation)

    def typed(self, user_id: int, form: str) -> Mapping[str, str]:
        """Returns the kept texts of a form by their fields."""
        return dict(self._kept.get((user_id, form)) or ())

    def forget(self, user_id: int | None) -> None:
        """Forgets the texts of a user, and those of all others with them, as this is rare."""
        del user_id
        self._kept.clear()
