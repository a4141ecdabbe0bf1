"""The start of a tournament in words, for pages and notices."""

from bot.clocks.words import stamp
from bot.core.translations import Language
from bot.tournaments.tournament import Plan


def start(plan: Plan, say: Language) -> str:
    if plan.starts is None:
        return say("tournament.start.by_hand")
    return say("tournament.start.at", date=stamp(plan.starts, "f"), relative=stamp(plan.starts, "R"))
