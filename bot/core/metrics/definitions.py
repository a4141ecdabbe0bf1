"""Every metric of the bot. Their names begin with ``abakbot_``, apart from those of the process itself.

Labels have few values, all of them ours: no ids, no names of users or servers, no text that anybody typed. This module
has the metrics that many parts of the bot count, and the gauges that ``bot/monitoring`` fills in on request.

Prometheus sees a counter grow only from one sample to the next, so it misses the event that makes a series appear.
Where few values are possible, ``at_zero`` makes all series at once; for other counters the alert has to look for new
series.
"""

from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

# a time of creation for every counter would double the page
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library gives this function no types

REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

FAST: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0)
"""Bounds in seconds for work that normally takes milliseconds."""
ANSWERS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
"""Bounds in seconds for answers, as Discord waits for three seconds."""
OTHER: Final = "other"
"""The label of everything without a name of its own."""


def at_zero(counter: Counter, *values: str) -> None:
    """Makes the series for all values of a counter's only label, so that the first event of each is seen."""
    for value in values:
        counter.labels(value)


BUILD: Final = Info("abakbot_build", "The version of the bot, of Python and of discord.py.", registry=REGISTRY)

# --- interactions ----------------------------------------------------------------------------------------------------

INTERACTIONS: Final = Counter(
    "abakbot_interactions",
    "Interactions answered. kind: command, component, modal or autocomplete; name: the command or the verb;"
    " outcome: ok (also if the player was told that it failed because the message or its channel is deleted), refused"
    " (the player was told why not), unanswered (the answer came too late or did not reach Discord; for autocomplete"
    " only that the suggestions took too long, so that an empty list was sent) or error (our fault, whether or not the"
    " player could be told).",
    ["kind", "name", "outcome"],
    registry=REGISTRY,
)
FAILED: Final = Counter(
    "abakbot_interactions_failed",
    "Interactions with the outcome error. It is there before the first one, so an alert sees that one, too.",
    registry=REGISTRY,
)
INTERACTION_SECONDS: Final = Histogram(
    "abakbot_interaction_seconds",
    "Seconds from the arrival of an interaction to the end of its answer.",
    ["kind"],
    buckets=ANSWERS,
    registry=REGISTRY,
)
LIMITED: Final = Counter(
    "abakbot_interactions_limited",
    "Interactions that were not carried out because their user asks for far more than anybody plays.",
    ["kind"],
    registry=REGISTRY,
)
UNDER_WAY: Final = Gauge("abakbot_interactions_under_way", "Interactions that are being answered.", registry=REGISTRY)
UNANSWERED: Final = Counter(
    "abakbot_interactions_unanswered",
    "Interactions whose answer came too late or did not reach Discord, also if it was to tell of an error; without"
    " suggestions.",
    registry=REGISTRY,
)

# --- pictures --------------------------------------------------------------------------------------------------------

RENDER_SECONDS: Final = Histogram(
    "abakbot_render_seconds", "Seconds that a picture took to draw.", ["queue"], buckets=FAST, registry=REGISTRY
)
RENDER_WAIT_SECONDS: Final = Histogram(
    "abakbot_render_wait_seconds",
    "Seconds that a picture waited to be drawn.",
    ["queue"],
    buckets=FAST,
    registry=REGISTRY,
)
RENDER_QUEUE: Final = Gauge("abakbot_render_queue", "Pictures that wait to be drawn.", ["queue"], registry=REGISTRY)
RENDER_CACHE: Final = Counter(
    "abakbot_render_cache", "Boards asked of the cache of pictures: hit or miss.", ["result"], registry=REGISTRY
)
at_zero(RENDER_CACHE, "hit", "miss")

# --- the machine opponents -------------------------------------------------------------------------------------------

MACHINE_QUESTIONS: Final = Counter(
    "abakbot_machine_questions",
    "Turns that machines were asked for. outcome: answered, refused (too many waited) or failed (worker after worker"
    " gave no answer).",
    ["outcome"],
    registry=REGISTRY,
)
at_zero(MACHINE_QUESTIONS, "answered", "refused", "failed")
MACHINE_QUEUE: Final = Gauge(
    "abakbot_machine_queue", "Turns of machines that wait for a worker process.", registry=REGISTRY
)
MACHINE_WAIT_SECONDS: Final = Histogram(
    "abakbot_machine_wait_seconds",
    "Seconds that a turn of a machine waited for a worker process.",
    buckets=ANSWERS,
    registry=REGISTRY,
)
MACHINE_SECONDS: Final = Histogram(
    "abakbot_machine_seconds",
    "Seconds that a worker process took for a turn of a machine.",
    ["game"],
    buckets=FAST,
    registry=REGISTRY,
)
MACHINE_RESTARTS: Final = Counter(
    "abakbot_machine_restarts",
    "Worker processes that were replaced. reason: died, hung, nonsense (what they wrote is no answer) or illegal (the"
    " move is not allowed).",
    ["reason"],
    registry=REGISTRY,
)
at_zero(MACHINE_RESTARTS, "died", "hung", "nonsense", "illegal")

# --- the database ----------------------------------------------------------------------------------------------------

TRANSACTION_SECONDS: Final = Histogram(
    "abakbot_transaction_seconds",
    "Seconds of a transaction, the wait for a connection and the commit included. kind: read or write.",
    ["kind"],
    buckets=FAST,
    registry=REGISTRY,
)
TRANSACTIONS: Final = Counter(
    "abakbot_transactions",
    "Transactions that have ended. outcome: ok, conflict (another process was first) or rolled_back.",
    ["kind", "outcome"],
    registry=REGISTRY,
)
GAME_COMMITS: Final = Counter(
    "abakbot_game_commits", "Changes of games that were stored, such as a turn.", ["game"], registry=REGISTRY
)
DATABASE_UP: Final = Gauge(
    "abakbot_database_up", "1 if the database has answered the queries behind the gauges, else 0.", registry=REGISTRY
)
DATABASE_CONNECTIONS: Final = Gauge(
    "abakbot_database_connections", "Connections to the database. state: used or most.", ["state"], registry=REGISTRY
)

# --- Discord ---------------------------------------------------------------------------------------------------------

REQUESTS: Final = Counter(
    "abakbot_discord_requests",
    "Calls of Discord's HTTP API. route: the first part of the path; status: of the answer, or failed.",
    ["method", "route", "status"],
    registry=REGISTRY,
)
REQUEST_SECONDS: Final = Histogram(
    "abakbot_discord_request_seconds",
    "Seconds of a call of Discord's HTTP API.",
    ["route"],
    buckets=ANSWERS,
    registry=REGISTRY,
)
RATE_LIMITED: Final = Counter(
    "abakbot_discord_rate_limited",
    "Calls that Discord has refused with status 429. scope: user (a route of ours), global or shared.",
    ["scope"],
    registry=REGISTRY,
)
SHARD_UP: Final = Gauge(
    "abakbot_shard_up", "1 if the shard is connected to Discord's gateway, else 0.", ["shard"], registry=REGISTRY
)
SHARD_LATENCY: Final = Gauge(
    "abakbot_shard_latency_seconds",
    "Seconds between the shard's last heartbeat and Discord's acknowledgement of it.",
    ["shard"],
    registry=REGISTRY,
)
SHARDS: Final = Gauge("abakbot_shards", "How many shards the bot has in all processes.", registry=REGISTRY)
SERVERS: Final = Gauge("abakbot_servers", "Servers that this process is connected to.", registry=REGISTRY)

# --- the process -----------------------------------------------------------------------------------------------------

LOOP_LAG: Final = Histogram(
    "abakbot_event_loop_lag_seconds",
    "Seconds by which the event loop woke a task too late, asked four times a second.",
    buckets=FAST,
    registry=REGISTRY,
)
WORKER_RUNS: Final = Counter(
    "abakbot_worker_runs", "Runs of background workers. outcome: ok or error.", ["worker", "outcome"], registry=REGISTRY
)
LOG_RECORDS: Final = Counter("abakbot_log_records", "Lines of the log by level.", ["level"], registry=REGISTRY)
at_zero(LOG_RECORDS, "info", "warning", "error", "critical")
HEARTBEAT_AGE: Final = Gauge(
    "abakbot_heartbeat_age_seconds",
    "Seconds since this process last stored a heartbeat of the shard. Without heartbeats no deadline is kept.",
    ["shard"],
    registry=REGISTRY,
)
ABSENCES: Final = Counter(
    "abakbot_absences", "Times that a shard took no moves for more than 15 seconds.", registry=REGISTRY
)
ABSENCE_SECONDS: Final = Counter(
    "abakbot_absence_seconds", "Seconds of these absences, which players get back.", registry=REGISTRY
)

# --- what the database holds: the same in every process, so a dashboard takes the maximum ----------------------------

GAMES_RUNNING: Final = Gauge("abakbot_games_running", "Games that are being played.", ["game"], registry=REGISTRY)
DEADLINES_DUE: Final = Gauge(
    "abakbot_deadlines_due", "Games whose deadline has passed and was not handled yet.", registry=REGISTRY
)
DEADLINES_LATE: Final = Gauge(
    "abakbot_deadlines_late", "Those of them whose deadline passed more than 30 seconds ago.", registry=REGISTRY
)
DEADLINE_LATENESS: Final = Gauge(
    "abakbot_deadline_lateness_seconds", "Seconds since the earliest of these deadlines; 0: none.", registry=REGISTRY
)
BOARDS_WAITING: Final = Gauge(
    "abakbot_boards_waiting",
    "Games whose newest entry is not shown yet. state: due, or delayed after a failure.",
    ["state"],
    registry=REGISTRY,
)
BOARD_AGE: Final = Gauge(
    "abakbot_board_age_seconds", "Seconds since the oldest entry that is due to be shown; 0: none.", registry=REGISTRY
)
OLD_BOARDS: Final = Gauge(
    "abakbot_old_boards",
    "Old boards and pings that are to be tidied. state: due or delayed.",
    ["state"],
    registry=REGISTRY,
)
OUTBOX: Final = Gauge(
    "abakbot_outbox", "Notifications that are not sent yet. state: due or delayed.", ["state"], registry=REGISTRY
)
OUTBOX_AGE: Final = Gauge(
    "abakbot_outbox_age_seconds", "Seconds since the oldest notification became due; 0: none.", registry=REGISTRY
)


def page() -> bytes:
    """Returns all metrics in Prometheus' text format."""
    return generate_latest(REGISTRY)
