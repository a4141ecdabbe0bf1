"""The bot's own luck over many rolls: as often as fair dice, by chi-squared."""

from collections import Counter

from bot.core.randomness import SystemLuck
from bot.dice.statistics import chi_squared_tail, spread
from engine.core.chance import next_secret, promise, without_next
from engine.core.record import Header
from engine.core.table import Table
from engine.kits.dice import OPENINGS, ROLLS, weight
from engine.registry import find

ROLLED = 100_000
LEAST = 1e-6
"""Fair dice fail once in a million runs."""
BACKGAMMON = find("backgammon")


def rolled(table: Table[object, object], count: int) -> Counter[str]:
    """Outcomes as the bot draws them: the next secret of a chain each time, and a new chain when it is used up."""
    luck, found = SystemLuck(), Counter[str]()
    pending: str | None = None
    for _ in range(count):
        pending = pending or luck.secret()
        secret = next_secret(pending)
        outcome, revealed, _ = luck.body(table, secret, secret).split(" ")
        assert revealed == secret
        found[outcome] += 1
        pending = without_next(pending)
    return found


def test_a_hundred_thousand_rolls_are_fair() -> None:
    options = BACKGAMMON.settle_options({"cube": "off"})
    position = "XGID=-A----------------------a-:0:0:1:00:0:0:0:0:10"
    header = Header("backgammon", BACKGAMMON.version, "fair", 0, tuple(options.items()), position, promise("a"))
    found = rolled(Table.open(BACKGAMMON, header), ROLLED)
    weights = [weight(roll, opening=False) for roll in ROLLS]
    assert sum(found[str(roll)] for roll in ROLLS) == ROLLED
    assert chi_squared_tail(spread([found[str(roll)] for roll in ROLLS], weights), 20) > LEAST


def test_opening_rolls_are_fair() -> None:
    options = tuple(BACKGAMMON.settle_options({}).items())
    header = Header("backgammon", BACKGAMMON.version, "fair", 0, options, commitment=promise("a"))
    found = rolled(Table.open(BACKGAMMON, header), ROLLED // 10)
    assert chi_squared_tail(spread([found[str(roll)] for roll in OPENINGS], [1] * 36), 35) > LEAST


def test_loaded_dice_would_be_found() -> None:
    """One 11 in five that comes as 66 is enough."""
    counts = [weight(roll, opening=False) * ROLLED // 36 for roll in ROLLS]
    counts[-1], counts[0] = counts[-1] + counts[0] // 5, counts[0] - counts[0] // 5
    assert chi_squared_tail(spread(counts, [weight(roll, opening=False) for roll in ROLLS]), 20) < LEAST
