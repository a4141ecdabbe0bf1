"""A worker process of the machine that fails as a test wants: ``python worker.py FOLDER FAULT FAULTY``.

The first FAULTY workers of a folder have the fault; the others answer everything. Each leaves a file with its id there.
"""

import json
import os
import sys
import time
from contextlib import suppress
from itertools import count
from pathlib import Path


def main(folder: Path, fault: str, faulty: int) -> None:
    number, own = begun(folder)
    for asked, line in enumerate(sys.stdin):
        told = {
            "position": json.loads(line)["position"],
            "move": f"of {number}",
            "value": 0,
            "resign": None,
            "accept_draw": False,
        }
        text = json.dumps(told)
        if number < faulty:
            match fault:
                case "dies":
                    return
                case "hangs":
                    hang(own)
                case "hangs by turns" if number % 2 == 0 or asked:  # every second one answers once
                    hang(own)
                case "answers another":
                    text = json.dumps(told | {"position": "another"})
                case "lacks a field":
                    text = json.dumps({key: told[key] for key in told if key != "resign"})
                case "plays illegally":
                    text = json.dumps(told | {"move": "illegal"})
                case "writes nonsense":
                    text = "nonsense"
                case "never ends its line":
                    text = "x" * 1_000_000
                case "answers twice":
                    text = f"{text}\n{text}"
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


def begun(folder: Path) -> tuple[int, Path]:
    """Returns the worker's number, and its file."""
    for number in count():
        with suppress(FileExistsError), (folder / str(number)).open("x", encoding="ascii") as own:
            own.write(str(os.getpid()))
            return number, folder / str(number)
    raise AssertionError


def hang(own: Path) -> None:
    own.with_name(f"{own.name} hangs").write_text(own.read_text(encoding="ascii"), encoding="ascii")
    time.sleep(3600)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
