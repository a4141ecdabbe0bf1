"""Hypothesis tries the same examples in each check and new ones in thorough runs, whatever its defaults in CI."""

import pytest
from hypothesis import settings


@pytest.mark.parametrize(("profile", "is_same"), [("check", True), ("wide", False)])
def test_only_the_wide_profile_draws_anew(profile: str, *, is_same: bool) -> None:
    assert settings.get_profile(profile).derandomize is is_same
