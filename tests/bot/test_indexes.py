"""The queries asked again and again go through an index, in the very words in which they are asked."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import event

from bot.app import FEATURES
from bot.archive.finished import Cursor, Filters
from bot.archive.repository import HistoryRepository
from bot.board.delivery.permission_issue_repository import PermissionIssueRepository
from bot.board.delivery.repository import BoardRepository
from bot.challenges.repository import ChallengeRepository
from bot.clocks.displaced.repository import DisplacedGameRepository
from bot.clocks.heartbeats.repository import HeartbeatRepository
from bot.clocks.removed_servers.repository import RemovedServerRepository
from bot.clocks.vacations.repository import VacationRepository
from bot.conditional.repository import ConditionalMoveRepository
from bot.core.personal_data import PersonalData, PersonalDataCatalogue
from bot.core.storage.database import Database
from bot.dice.repository import DiceRepository
from bot.explorer.repository import ExplorerRepository
from bot.games.repository import AffectedShards, GameRepository
from bot.games.running.offer_quotas import ASKED as ASKED_LATELY
from bot.learn.repository import LessonRepository
from bot.monitoring.repository import MonitoringRepository
from bot.notifications.notice_repository import NoticeRepository
from bot.notifications.repository import NotificationRepository
from bot.players.repository import PlayerNameRepository, PreferenceRepository
from bot.privacy.deletion.repository import DeletionRepository
from bot.privacy.export.repository import ExportRepository
from bot.privacy.retention.repository import RetentionRepository
from bot.profiles.repository import ProfileRepository
from bot.ratings.repository import RatingRepository
from bot.tournaments.reopening.repository import ReopeningRepository

Ask = Callable[[Database], Awaitable[Any]]


async def lost_on_time(database: Database) -> bool:
    async with database.reading() as connection:
        return await GameRepository(database).lost_on_time(connection, 1, 1, "a")


async def void_later(database: Database) -> bool:
    async with database.writing() as connection:
        return await NotificationRepository(database).void_later(connection, 1, "digest", 1)


async def void_subject(database: Database) -> None:
    async with database.writing() as connection:
        await NotificationRepository(database).void_subject(connection, "cup1", ["round"], None)


def of_users() -> tuple[PersonalData, ...]:
    return PersonalDataCatalogue(data for feature in FEATURES for data in feature.personal_data).of_users


async def delete_user(database: Database) -> None:
    repository = DeletionRepository(database, of_users())
    await repository.finish(await repository.begin(1, -1, 1), 1, lambda _: None)


async def contests_of_two(database: Database) -> int:
    async with database.reading() as connection:
        ratings = RatingRepository(database)
        return await ratings.contests_between(connection, (1, 2), 5) + await ratings.running_between(
            connection, (1, 2), 5
        )


async def asked_lately(database: Database) -> object:
    async with database.reading() as connection:
        return await connection.execute(ASKED_LATELY, {"user_id": 1, "since": 1})


def listed(**filters: Any) -> Ask:
    """Returns a page of the list of finished games, forward from a game."""
    asked = Filters(**({"user_id": 1, "viewer_id": 1, "guild_id": 9} | filters))
    return lambda db: HistoryRepository(db).page(asked, Cursor(5, "x"), 11)


ASKED: dict[str, tuple[Ask, set[str]]] = {
    "running at": (lambda db: GameRepository(db).running_at(1), {"uq_games_running_channel"}),
    "ended at": (lambda db: GameRepository(db).ended_at(1), {"ix_games_channel_id_last_entry_at"}),
    "waiting for": (lambda db: GameRepository(db).waiting_for(1, "x"), {"ix_games_seat0", "ix_games_seat1"}),
    "running of": (lambda db: GameRepository(db).running_of(1), {"ix_games_seat0", "ix_games_seat1"}),
    "finished by": (lambda db: GameRepository(db).finished_by(1, 5), {"ix_games_seat0_ended", "ix_games_seat1_ended"}),
    "history": (listed(), {"ix_games_seat0_ended (seat0=? AND ended<?)", "ix_games_seat1_ended (seat1=? AND ended<?)"}),
    "history back": (
        lambda db: HistoryRepository(db).page(Filters(1, 1, 9), Cursor(5, "x"), 11, newer=True),
        {"ix_games_seat0_ended (seat0=? AND ended>?)", "ix_games_seat1_ended (seat1=? AND ended>?)"},
    ),
    "history of a game": (
        listed(game="apb", result="won"),
        {"ix_games_seat0_game_ended (seat0=? AND game=? AND ended<?)", "ix_games_seat1_game_ended (seat1=? AND game=?"},
    ),
    "history against one": (
        listed(opponent_id=2, result="drawn"),
        {"ix_games_seat0_seat1_ended (seat0=? AND seat1=? AND ended<?)"},
    ),
    "history against the machine": (listed(opponent_id=0), {"ix_games_seat0_", "ix_games_seat1_"}),
    "games against levels": (
        lambda db: ProfileRepository(db).finished_against(1, [2, 3]),
        {"ix_games_seat0_seat1_ended (seat0=? AND seat1=?)"},
    ),
    "history of another": (
        listed(viewer_id=3),
        {
            "ix_games_seat0_seat1_ended (seat0=? AND seat1=? AND ended<?)",
            "ix_games_seat0_guild_id_ended (seat0=? AND guild_id=? AND ended<?)",
            "ix_games_seat1_guild_id_ended (seat1=? AND guild_id=? AND ended<?)",
        },
    ),
    "explored moves": (lambda db: ExplorerRepository(db).moves(1, 2, 5), {"PRIMARY KEY (guild_id=? AND position=?)"}),
    "explored positions": (
        lambda db: ExplorerRepository(db).totals(1, [2, 3]),
        {"PRIMARY KEY (guild_id=? AND position=?)"},
    ),
    "rated games": (lambda db: ExplorerRepository(db).rated_games(1, "apb"), {"ix_games_seat0", "ix_games_seat1"}),
    "turns": (lambda db: HistoryRepository(db).turns(["a", "b"]), {"autoindex_entries"}),
    "games of matches": (lambda db: HistoryRepository(db).of_matches(["a", "b"]), {"uq_games_match_id_match_game"}),
    "game of a message": (lambda db: HistoryRepository(db).by_message(1), {"ix_games_message_id"}),
    "lease": (lambda db: GameRepository(db).lease(1, 2, [0, 1], 2, 50), {"ix_games_deadline"}),
    "affected": (
        lambda db: GameRepository(db).affected([AffectedShards((1,), 2, 9, 9)], [0, 1], 2, (0, ""), 5),
        {"ix_games_deadline"},
    ),
    "next deadline": (lambda db: GameRepository(db).next_deadline(1), {"ix_games_deadline"}),
    "what waits": (
        lambda db: MonitoringRepository(db).waiting(1),
        {
            "uq_games_running_channel",
            "ix_games_deadline",
            "ix_games_to_show",
            "ix_old_boards_next_attempt_at",
            "ix_notifications_pending",
        },
    ),
    "made due": (lambda db: GameRepository(db).make_due(1, 1, 5), {"ix_games_seat0", "ix_games_seat1"}),
    "lost on time": (lost_on_time, {"ix_games_seat0_ended", "ix_games_seat1_ended"}),
    "offers": (
        asked_lately,
        {
            "ix_games_seat0_status (seat0=? AND status=?)",
            "ix_games_seat1_status (seat1=? AND status=?)",
            "autoindex_entries_1 (game_id=?)",
        },
    ),
    "vacations": (lambda db: VacationRepository(db).of([1, 2], 1), {"ix_vacations_user_id_until"}),
    "outages": (
        lambda db: HeartbeatRepository(db).since(1, 0, 2, 3),
        {
            "ix_outages_until",
            "autoindex_removed_servers",
            "autoindex_displaced_games",
            "COMPOUND QUERY",
            "LEFT-MOST SUBQUERY",
            "UNION ALL",
        },
    ),
    "next expiry": (lambda db: ChallengeRepository(db).next_expiry(), {"ix_challenges_open"}),
    "expire": (lambda db: ChallengeRepository(db).expire(1, 5), {"ix_challenges_open", "ix_challenges_unshown"}),
    "unshown": (lambda db: ChallengeRepository(db).unshown(1, 5), {"ix_challenges_unshown"}),
    "open rematch": (lambda db: ChallengeRepository(db).open_rematch("a"), {"uq_challenges_open_rematch"}),
    "preferences": (lambda db: PreferenceRepository(db).chosen("user", 1), {"autoindex_preferences"}),
    "names": (lambda db: PlayerNameRepository(db).names([1, 2]), {"autoindex_player_names"}),
    "not informed": (
        lambda db: PermissionIssueRepository(db).not_informed(1, 5),
        {"ix_permission_issues_not_reported"},
    ),
    "clear": (lambda db: PermissionIssueRepository(db).clear(1, None), {"autoindex_permission_issues"}),
    "boards due": (lambda db: BoardRepository(db).due(1, 5), {"ix_games_to_show"}),
    "boards waiting": (lambda db: BoardRepository(db).waiting_in(1, 5), {"ix_games_to_show"}),
    "undelivered": (lambda db: BoardRepository(db).undelivered(1, 5), {"ix_games_undelivered"}),
    "undelivered, not informed": (lambda db: BoardRepository(db).not_informed(1, 5), {"ix_games_undelivered"}),
    "removed servers": (
        lambda db: RemovedServerRepository(db).due(1, 5),
        {"ix_removed_servers_since"},
    ),
    "games of removed servers": (
        lambda db: RemovedServerRepository(db).games(1, "a", 5),
        {"ix_games_guild_id_running (guild_id=? AND id>?)"},
    ),
    "a displaced game": (
        lambda db: DisplacedGameRepository(db).has_game("a"),
        {"autoindex_games_1 (id=?)", "autoindex_displaced_games_1 (contest_id=?)"},
    ),
    "displaced games due": (
        lambda db: ReopeningRepository(db).outlook(1),
        {"uq_games_match_id_match_game", "uq_tournament_pairings_contest_id"},
    ),
    "a game of a tournament": (
        lambda db: ReopeningRepository(db).at(1),
        {"uq_games_running_channel", "uq_tournament_pairings_contest_id"},
    ),
    "games of a tournament": (
        lambda db: ReopeningRepository(db).places("a"),
        {"uq_games_match_id_match_game", "autoindex_games_1 (id=?)"},
    ),
    "old boards": (lambda db: BoardRepository(db).old(1, 5), {"ix_old_boards_next_attempt_at"}),
    "notifications due": (lambda db: NotificationRepository(db).lease(1, 2, 3), {"ix_notifications_pending"}),
    "next notification": (lambda db: NotificationRepository(db).next_due(), {"ix_notifications_pending"}),
    "unreached": (lambda db: NotificationRepository(db).failed_of(1, 5), {"ix_notifications_user_id_state_kind"}),
    "notices beside an answer": (
        lambda db: NoticeRepository(db).waiting(1, 1),
        {"ix_games_undelivered", "ix_notifications_user_id_state_kind", "ix_permission_issues_not_reported"},
    ),
    "states": (lambda db: NotificationRepository(db).states(["a", "b"]), {"autoindex_notifications"}),
    "notifications to come": (void_later, {"ix_notifications_user_id_state_kind (user_id=? AND state=? AND kind=?)"}),
    "notices for a digest": (
        lambda db: NotificationRepository(db).kept_for_digest(1, 5),
        {"ix_notifications_user_id_state_kind (user_id=? AND state=?)"},
    ),
    "notices about a subject": (void_subject, {"ix_notifications_subject (subject=?)"}),
    "old notifications": (lambda db: NotificationRepository(db).forget(1, 5), {"ix_notifications_done"}),
    "conditional_moves": (lambda db: ConditionalMoveRepository(db).of("a"), {"ix_conditional_moves_game_id"}),
    "old challenges": (lambda db: ChallengeRepository(db).forget(1, 5), {"ix_challenges_closed"}),
    "inactive users": (
        lambda db: RetentionRepository(db).inactive(1, (0, 0), 5),
        {"ix_player_names_seen", "ix_games_seat0", "ix_games_seat1"},
    ),
    "export": (
        lambda db: ExportRepository(db).counts(of_users(), 1),
        {"ix_games_seat0", "ix_games_seat1", "ix_notifications_user_id_state_kind", "ix_vacations_user_id_until"},
    ),
    "deletion": (delete_user, {"ix_games_seat0", "ix_games_seat1", "ix_notifications_user_id_state_kind"}),
    "rating changes": (lambda db: RatingRepository(db).changes_of("a"), {"autoindex_rating_changes"}),
    "rated contest": (lambda db: RatingRepository(db).was_counted("a"), {"autoindex_rated_contests"}),
    "rated contests of two": (contests_of_two, {"ix_rating_changes_user_id_opponent_id_ended", "ix_games_seat"}),
    "ratings": (lambda db: RatingRepository(db).standings([1, 2], "apb", "live"), {"autoindex_ratings"}),
    "dice of a user": (lambda db: DiceRepository(db).of(1), {"autoindex_dice_counts"}),
    "dice to count": (lambda db: DiceRepository(db).uncounted(5), {"autoindex_dice_uncounted"}),
    "lessons": (lambda db: LessonRepository(db).done(1, "apb"), {"autoindex_lessons"}),
}


@pytest.mark.parametrize("name", ASKED)
async def test_no_list_is_searched_from_end_to_end(sqlite_url: str, name: str) -> None:
    ask, indexes = ASKED[name]
    asked: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        if not statement.startswith("BEGIN"):
            asked.append((statement, parameters))

    database = Database(sqlite_url)
    event.listen(database.engine.sync_engine, "before_cursor_execute", note)
    await ask(database)
    statements = list(asked)
    assert statements
    async with database.reading() as connection:
        plans = [await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", given) for sql, given in statements]
        steps = [step.detail for plan in plans for step in plan]
    await database.close()
    assert all(any(index in step for step in steps) for index in indexes), steps
    whole = [step for step in steps if step.startswith("SCAN") and "INDEX" not in step]
    # a SELECT of counts alone; the few rows that a lease has found; the few games that have lost their channel
    few = {"SCAN CONSTANT ROW", "SCAN due", "SCAN displaced_games"}
    scans = [step for step in whole if step not in few]
    assert scans == []
