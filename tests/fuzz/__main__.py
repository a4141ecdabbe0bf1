"""Runs all targets, and sends interactions to the bot; prints a table; exits with 1 if anything failed.

``PYTHONPATH=.:tests python -m fuzz --inputs 1000000 --seed 1``: a million inputs, of which ``--interactions`` are sent
to a running bot, in parts with a bot each. The others are texts: moves, positions, records, files, times, drafts and
custom_ids, shared by the targets. ``--inputs 0`` sends interactions alone.
"""

import multiprocessing
import sys
from collections.abc import Iterator
from functools import partial

import click

from fuzz.interactions import PART, attack_part
from fuzz.runner import Report
from fuzz.targets import attack_one, targets


def reports(inputs: int, interactions: int, seed: int, processes: int) -> Iterator[Report]:
    """Runs the texts first, then the interactions, each part in a process whose memory ends with it."""
    count, texts = len(targets()), max(0, inputs - interactions)
    parts = -(-interactions // PART)
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(partial(attack_one, texts=-(-texts // count), seed=seed), range(count if texts else 0))
    with multiprocessing.get_context("spawn").Pool(processes, maxtasksperchild=1) as pool:
        each = -(-interactions // max(1, parts))
        yield from pool.imap(partial(attack_part, interactions=each, seed=seed), range(parts))


@click.command()
@click.option("--inputs", default=1_000_000, show_default=True, help="Inputs in all.")
@click.option("--interactions", default=20_000, show_default=True, help="How many of them are sent to a running bot.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same inputs.")
@click.option("--processes", default=2, show_default=True)
def main(inputs: int, interactions: int, seed: int, processes: int) -> None:
    """Gives generated inputs to everything that reads something from outside."""
    click.echo(f"{'target':<28}{'inputs':>9} {'accepted':>9} {'slowest':>11} faults")
    failures = done = 0
    for report in reports(inputs, interactions, seed, processes):
        click.echo(str(report))
        done += report.texts
        failures += len(report.failures)
    click.echo(f"{done:,} inputs, {failures} faults")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
