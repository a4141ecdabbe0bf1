"""The PostgreSQL of the tests ends with them, however they end."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest
from harness.discord import until

TESTS = Path(__file__).parents[1]
STARTS = """
import sys, time
from fakes.databases import embedded

with embedded() as url:
    print(url, flush=True)
    time.sleep(600)
"""


@pytest.mark.thorough
@pytest.mark.skipif("ABAKBOT_TEST_POSTGRES_URL" in os.environ, reason="the tests have a server of somebody else")
async def test_it_ends_when_the_tests_are_killed() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(TESTS)])}
    tests = await asyncio.create_subprocess_exec(
        sys.executable, "-c", STARTS, env=environment, stdout=asyncio.subprocess.PIPE
    )
    assert tests.stdout is not None
    url = (await tests.stdout.readline()).decode()
    folder = Path(url.partition("host=")[2].strip()).parent
    server = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    os.kill(server, 0)
    tests.kill()
    await tests.wait()
    await until(lambda: not folder.exists(), "all that belongs to it is deleted")
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)
