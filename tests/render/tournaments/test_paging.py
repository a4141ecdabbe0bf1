"""Every pairing of a bracket stands on one page, and no page is crowded."""

from collections import Counter
from itertools import pairwise

import pytest
from harness.examples import examples
from hypothesis import given
from hypothesis import strategies as st

from render.tournaments.paging import MOST_COLUMNS, MOST_ROWS, TOGETHER, page_of, pages
from render.tournaments.samples.brackets import double, single
from render.tournaments.views import BracketView


def size_of(players: int) -> int:
    return 1 << (players - 1).bit_length()


@examples(40)
@given(st.integers(2, 300), st.booleans(), st.integers(0, 300))
def test_every_pairing_stands_on_one_page_with_room(players: int, twice: bool, played: int) -> None:
    view = (double if twice else single)(players, size_of(players), played)
    every = pages(view)
    assert Counter(slot.id for page in every for slot in page.slots) == Counter(
        slot.id for slot in view.slots if not slot.hidden
    )
    for page in every:
        assert page.parts
        assert len(page.parts) == 1 or sum(part.rows for part in page.parts) <= TOGETHER
        for part in page.parts:
            assert 1 <= len(part.heads) <= MOST_COLUMNS
            for column in range(len(part.heads)):
                middles = sorted(place.middle for place in part.places if place.column == column)
                assert len(middles) <= MOST_ROWS
                assert all(second - first >= 1 for first, second in pairwise(middles))
                assert all(0.5 <= middle <= part.rows - 0.5 for middle in middles)


@examples(40)
@given(st.integers(2, 300), st.booleans())
def test_a_winner_goes_right_on_or_to_another_page(players: int, twice: bool) -> None:
    view = (double if twice else single)(players, size_of(players), 0)
    for page in pages(view):
        for part in page.parts:
            at = {place.slot.id: place for place in part.places}
            everywhere = {slot.id for page in pages(view) for slot in page.slots}
            for place in part.places:
                assert place.slot.winner_to in everywhere | {""}
                to = at.get(place.slot.winner_to)
                if to is not None:
                    assert to.column - place.column in {0, 1}
                    assert to.column > place.column or to.head, "what stands in the same column has a head of its own"


@pytest.mark.parametrize(
    ("view", "count"),
    [
        (single(2, 2, 0), 1),
        (single(8, 8, 0, third=True), 1),
        (single(16, 16, 0, third=True), 1),
        (single(32, 32, 0), 3),
        (single(64, 64, 0), 5),
        (single(128, 128, 0), 9),
        (double(4, 4, 0), 1),
        (double(5, 8, 0), 1),
        (double(8, 8, 0), 1),
        (double(16, 16, 0), 3),
    ],
    ids=lambda value: value.about if isinstance(value, BracketView) else str(value),
)
def test_a_bracket_has_as_few_pages_as_are_legible(view: BracketView, count: int) -> None:
    assert len(pages(view)) == count


def test_the_page_of_a_pairing_is_found() -> None:
    view = single(64, 64, 0)
    assert [page_of(view, slot) for slot in ("W1-1", "W1-32", "W3-8", "W4-1", "W6-1", "?")] == [1, 4, 4, 5, 5, 1]


def test_an_empty_bracket_has_a_page() -> None:
    assert [page.slots for page in pages(BracketView("Cup", "", ()))] == [()]
