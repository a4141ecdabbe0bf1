"""Players of one section are kept apart in the first round of a knockout, and as near to their seeds as can be."""

from engine.tournament import field


def test_who_changes_places_has_the_same_rank_if_possible() -> None:
    """The players 3 and 6 would meet again; 7 is as near to 6 as 5 is, but of another rank."""
    ranks, sections = (1, 1, 1, 2, 2, 2, 3, 3), (1, 3, 5, 6, 7, 5, 4, 2)
    placed = [(rank, section, number) for number, (rank, section) in enumerate(zip(ranks, sections, strict=True), 1)]
    assert [number for _, _, number in field._apart(placed)] == [1, 2, 3, 4, 6, 5, 7, 8]
