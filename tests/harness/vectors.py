"""The vectors in ``tests/vectors``: positions, and what programs that share no code with this one find in them."""

import gzip
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "vectors"


def vectors(game: str) -> list[dict[str, Any]]:
    """Returns the cases of a game; ``tests/vectors/README.md`` says what a case holds."""
    with gzip.open(FOLDER / f"{game}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
