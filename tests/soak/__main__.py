"""``python -m tests.soak --minutes 20 --players 300 --seed N``: the whole soak; ends with 1 if anything is wrong."""

import argparse
import asyncio
import logging
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the harness and the fakes of the tests


def main() -> int:
    from fakes.databases import embedded, order, target

    from soak.run import Soak

    read = argparse.ArgumentParser(prog="python -m tests.soak")
    read.add_argument("--minutes", type=float, default=20)
    read.add_argument("--players", type=int, default=300)
    read.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    read.add_argument("--rate", type=float, default=30, help="acts a second of all players together")
    read.add_argument("--url", help="a PostgreSQL whose user may create databases; else one is started")
    read.add_argument("--folder", type=Path, help="where the logs of the bots go")
    read.add_argument("--no-faults", action="store_true")
    given = read.parse_args()
    logging.getLogger("aiohttp").setLevel(logging.CRITICAL)
    folder = given.folder or Path(tempfile.mkdtemp(prefix="abakbot-soak-"))
    folder.mkdir(parents=True, exist_ok=True)
    print(f"seed {given.seed}; logs in {folder}", flush=True)  # noqa: T201

    def soaked(server: str) -> int:
        name = f"soak_{given.seed}"
        asyncio.run(order(server, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name}"))
        url = target(server, name)
        soak = Soak(url, folder, 60 * given.minutes, given.players, given.seed, given.rate, not given.no_faults)
        report = asyncio.run(soak.run())
        (folder / "report.txt").write_text(str(report), encoding="utf-8")
        print(report)  # noqa: T201
        return int(bool(report.violations))

    if given.url:
        return soaked(given.url)
    with embedded() as server:
        asyncio.run(order(server, "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()"))
        return soaked(server)


if __name__ == "__main__":
    sys.exit(main())
