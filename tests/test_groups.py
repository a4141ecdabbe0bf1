"""pytest-xdist sees the groups of tests that share a process, which it does not with every version of pytest."""

import pytest


@pytest.mark.xdist_group("groups")
def test_a_group_is_part_of_a_tests_name(request: pytest.FixtureRequest) -> None:
    called = getattr(request.config, "workerinput", {}).get("mainargv", [])
    assert request.node.nodeid.endswith("@groups") == ("loadgroup" in " ".join(called))
