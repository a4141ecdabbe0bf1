"""Runs all targets and prints a table; exits with 1 if any text failed.

``PYTHONPATH=tests python -m fuzz --inputs 1000000 --seed 1``
"""

import multiprocessing
import sys
from functools import partial

import click

from fuzz.targets import attack_one, targets


@click.command()
@click.option("--inputs", default=1_000_000, show_default=True, help="Texts in all, shared by the targets.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same texts.")
@click.option("--processes", default=2, show_default=True)
def main(inputs: int, seed: int, processes: int) -> None:
    """Gives generated texts to everything that reads a text from outside."""
    count = len(targets())
    each = -(-inputs // count)
    click.echo(f"{'target':<28}{'texts':>9} {'accepted':>9} {'slowest':>11} faults")
    failures = texts = 0
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for report in pool.imap(partial(attack_one, texts=each, seed=seed), range(count)):
            click.echo(str(report))
            texts += report.texts
            failures += len(report.failures)
    click.echo(f"{texts:,} texts, {failures} faults")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
