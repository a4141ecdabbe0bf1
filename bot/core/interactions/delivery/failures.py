"""Logs failed answers, and chooses the sentence that tells the user whether their data are saved."""

from typing import Any

import structlog

from bot.core.discord_errors import NOTHING_THERE, code_of, is_lost
from bot.core.interactions.press import asked_by
from bot.core.metrics.interactions import ERROR, note_outcome, note_unanswered
from bot.core.storage.faults.commit_status import CommitStatus
from bot.core.storage.faults.outages import OutageLog, is_outage

log = structlog.get_logger()


def note_failure(error: BaseException, asked: Any, outages: OutageLog) -> None:
    """Counts and logs an error as our fault, or counts it to the outage that is already in the log.

    ``asked``: the data of the interaction. A request that was lost, or a message to change that somebody has deleted,
    is not our fault.
    """
    if is_outage(error):  # logged already
        note_outcome(ERROR)
        outages.refused()
    elif code_of(error) in NOTHING_THERE:
        log.warning("message_gone", asked=asked_by(asked), code=code_of(error))
    elif is_lost(error):
        note_unanswered()
        log.warning("answer_in_doubt", asked=asked_by(asked), error=str(error))
    else:
        note_outcome(ERROR)
        log.error("answer_failed", asked=asked_by(asked), exc_info=error)


def what_became(error: BaseException, saved: CommitStatus) -> str:
    """Returns the key of the sentence that says what is saved, as far as the bot knows."""
    if saved.unknown:
        return "error.unknown"
    if saved.committed:
        return "error.kept"
    return "error.no_database" if is_outage(error) else "error.ours"
