"""Forged presses of strangers for each verb, and the expected answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DRAFT: Final = "abalone,,s,0,r,,,"
"""The fields of a challenge's form."""
NOT_A_PLAYER: Final = "table.not_a_player"
UNKNOWN: Final = "tournament.unknown"
NOT_A_MANAGER: Final = "settings.not_manager"
NO_DRAFT: Final = "tournament.draft.gone"
INVALID: Final = "error.press"
NOT_AN_ORGANISER: Final = "tournament.not_organiser"


@dataclass(frozen=True)
class Case:
    """A stranger's press and the expected answer; names in braces are of the Scene."""

    refused: str = ""
    """The key of the refusal; "" where anybody may press it, or on a matter of their own."""
    rest: str = ""
    values: tuple[str, ...] = ()
    """What is chosen, where the verb is a menu's."""
    fields: tuple[str, ...] = ()
    """What is filled in, where the verb is a form's."""
    subject: str = "{game}"
    seq: str = "{seq}"
    kind: str = "m"
    """Of a menu: ``m``, ``c`` for channels, ``u`` for people, ``r`` for roles."""
    own: tuple[str, ...] = ()
    """The games in which rows of the stranger's own may change."""
    posts: bool = False
    """Whether what they do is for all to see, as a challenge to anyone."""


LOOK: Final = Case()
NEVER_MIND: Final = Case()
OWN_PANEL: Final = Case(subject="me", seq="0")
REFUSED: Final = Case(NOT_A_PLAYER)
CASES: Final[dict[str, tuple[Case, ...]]] = {
    # whoever looks on may see the board, the record and the rules, and learn
    "look": (Case(seq="0", rest="first"),),
    "replay": (LOOK,),
    "film": (LOOK,),
    "record": (LOOK,),
    "history": (Case(subject="1", seq="1", rest="o|||2|"), Case(subject="1", seq="1", rest="n|x|apb||won")),
    "explore_step": (Case(subject="abalone", seq="0", rest="0.6.0|0", values=("a1b1",)),),
    "explore_back": (Case(subject="abalone", seq="0", rest="0.6.0"), Case(INVALID, subject="abalone", rest="x")),
    "history_open": (Case(subject="me", seq="0", values=("{game}",)),),
    "dice": (Case(seq="0", rest="back"),),
    "export": (Case(seq="0", rest="game"),),
    **{
        verb: (Case("analysis.unknown", subject="nobody", seq="0", rest="0|0|x"),)
        for verb in ("analysis", "analysis_type", "analysis_roll", "analysis_undo", "analysis_leave")
    },
    **{
        verb: (Case("analysis.unknown", subject="nobody", seq="0", rest="0|0|x", values=("1",)),)
        for verb in ("analysis_play", "analysis_game")
    },
    "analysis_typed": (Case("analysis.unknown", subject="nobody", seq="0", rest="0|0|x", fields=("move",)),),
    "analyse": (Case("analysis.running"),),
    "arena_rest": (Case("tournament.unknown", subject="nobody", seq="0"),),
    "arena_back": (Case("tournament.unknown", subject="nobody", seq="0"),),
    "flip": (LOOK, Case(rest="0")),
    "more": (LOOK,),
    "words": (LOOK,),
    "rule": (Case(subject="abalone", seq="0", rest="summary"),),
    "legend": (Case(subject="abak", seq="0"),),
    "topic": (Case(subject="abalone", seq="0", values=("summary",)),),
    "learn": (Case(subject="abalone", seq="0"),),
    "promise": (Case(subject="{challenge}", seq="0"), Case("challenge.unknown", subject="nobody", seq="0")),
    "tour": (Case(subject="me", seq="0", values=("abalone",)),),
    "tours": (OWN_PANEL,),
    "help_rules": (Case(subject="me", seq="0", values=("abalone",)),),
    "help_all": (OWN_PANEL,),
    "welcome_challenge": (OWN_PANEL,),
    "welcome_learn": (OWN_PANEL,),
    "welcome_settings": (Case(NOT_A_MANAGER, subject="me", seq="0"),),
    "lesson": (Case(subject="abalone", seq="0"),),
    "lesson_hint": (Case(subject="abalone", seq="0"),),
    "lesson_pick": (Case(subject="abalone", seq="0", rest="~"),),
    "lesson_hinted": (Case(subject="abalone", seq="0", rest="~"),),
    # their own games, settings and vacations
    "games": (OWN_PANEL,),
    "finished": (OWN_PANEL,),
    "dice_mine": (OWN_PANEL,),
    "next": (OWN_PANEL, Case(subject="me", seq="0", rest="{game}")),
    "help_games": (OWN_PANEL,),
    "help_settings": (OWN_PANEL,),
    "waiting": (Case(subject="{game}", seq="0"),),
    "page_user": (OWN_PANEL,),
    "set_user": (Case(subject="me", seq="0", rest="theme", values=("slate",), own=("preferences",)),),
    "ask_user": (Case(subject="me", seq="0", rest="time"),),
    "fill_user": (Case(subject="me", seq="0", rest="time", fields=("zone", "rest"), own=("preferences",)),),
    "vacation_from_now": (Case(subject="me", seq="0", values=("3",)),),
    "vacation_other": (OWN_PANEL,),
    "vacation_fill": (Case(subject="me", seq="0", fields=("from", "days")),),
    "vacation_back": (OWN_PANEL,),
    "vacation_others": (OWN_PANEL,),
    "vacation_take": (Case(subject="me", seq="3", rest="0", own=("vacations",)),),
    "vacation_end": (Case("vacation.none", subject="me", seq="{vacation}"),),
    # their own data
    "data_export": (OWN_PANEL,),
    "data_delete": (OWN_PANEL,),
    "data_ask": (OWN_PANEL,),
    "data_erase": (Case(subject="me", seq="0", fields=("word",)),),
    # somebody else's draft of a tournament
    **{
        verb: (Case(NO_DRAFT, subject="{draft}", seq="0", rest="dates"),)
        for verb in ("plan_page", "plan_preview", "plan_ask", "plan_announce", "plan_discard")
    },
    "plan_open": (Case(NO_DRAFT, subject="{draft}", seq="0", values=("dates",)), Case(NO_DRAFT, subject="{cup}")),
    "plan_set": (Case(NO_DRAFT, subject="{draft}", seq="0", rest="format.format", values=("arena",)),),
    "plan_template": (Case(NO_DRAFT, subject="{draft}", seq="0", values=("arena",)),),
    "plan_role": (Case(NO_DRAFT, subject="{draft}", seq="0", rest="1", values=("{role}",), kind="r"),),
    "plan_fill": (Case(NO_DRAFT, subject="{draft}", seq="0", rest="dates", fields=("name",)),),
    # a tournament that is closed to strangers: they may look at it, and at the list
    **{
        verb: (
            Case("tournament.join.closed", subject="{cup}", seq="0"),
            Case("tournament.unknown", subject="{draft}", seq="0"),
        )
        for verb in ("tournament_join", "tournament_check_in")
    },
    "tournament_leave": (Case("tournament.leave.not_in", subject="{cup}", seq="0"),),
    "tournament_leave_sure": (Case("tournament.leave.not_in", subject="{cup}", seq="0"),),
    "tournament_stay": (NEVER_MIND,),
    "tournament_players": (Case(subject="{cup}", seq="0"), Case("tournament.unknown", subject="{draft}", seq="0")),
    "tournament_standings": (Case("tournament.unknown", subject="{draft}", seq="0"),),
    "tournament_pairings": (Case("tournament.unknown", subject="{draft}", seq="0"),),
    "tournament_bracket": (Case("tournament.unknown", subject="{draft}", seq="0"),),
    "tournament_season": (
        Case("tournament.season.without", subject="{cup}", seq="0"),
        Case("tournament.unknown", subject="{draft}", seq="0"),
    ),
    "tournament_list": (Case(subject="me", seq="0", rest="mine,0"), Case(subject="me", seq="0", rest="all,99")),
    "tournament_open": (
        Case(subject="me", seq="0", values=("{cup}",)),
        Case("tournament.unknown", subject="me", seq="0", values=("{draft}",)),
    ),
    "tournament_repost": (Case(NOT_AN_ORGANISER, subject="{cup}", seq="0"),),
    "tournament_add": (Case(NOT_AN_ORGANISER, subject="{cup}", seq="0", values=("{ben}",), kind="u"),),
    "tournament_import": (Case(NOT_AN_ORGANISER, subject="{cup}", seq="0"),),
    "tournament_copy": (
        Case("tournament.not_creator", subject="{cup}", seq="0"),
        Case("tournament.not_creator", subject="{draft}", seq="0"),
    ),
    "tournament_machine": (Case(NOT_AN_ORGANISER, subject="{cup}", seq="0", values=("2",)),),
    # a question that is answered with no
    "data_keep": (NEVER_MIND,),
    "cancel_pick": (NEVER_MIND,),
    "cube_cancel": (NEVER_MIND,),
    "keep": (NEVER_MIND,),
    "stay_paused": (NEVER_MIND,),
    "wait_on": (NEVER_MIND,),
    # a game of others
    "move": (REFUSED,),
    "only": (REFUSED,),
    "pick": (Case(NOT_A_PLAYER, rest="0~"), Case(NOT_A_PLAYER, values=("0~",))),
    "reading": (Case(NOT_A_PLAYER, rest="0~"),),
    "confirm": (Case(NOT_A_PLAYER, rest="0~"),),
    "cube": (Case(NOT_A_PLAYER, rest="double"),),
    "cube_confirm": (Case(NOT_A_PLAYER, rest="double"),),
    "resign": (REFUSED,),
    "resign_for": (Case(NOT_A_PLAYER, rest="1"),),
    "sure_resign_match": (REFUSED,),
    "resign_match": (REFUSED,),
    "sure_draw": (REFUSED,),
    "draw": (REFUSED,),
    "sure_back": (REFUSED,),
    "ask_back": (REFUSED,),
    "accept": (REFUSED,),
    "decline": (REFUSED,),
    "withdraw": (REFUSED,),
    "rematch": (REFUSED,),
    "ask_pause": (REFUSED,),
    "ask_adjourn": (REFUSED,),
    "adjourn_to": (Case(NOT_A_PLAYER, values=("7d/move",)),),
    "offer_time": (Case(NOT_A_PLAYER, rest="pause"), Case(NOT_A_PLAYER, rest="adjourn 7d/move")),
    "resume": (REFUSED,),
    "resume_now": (REFUSED,),
    "give_time": (REFUSED,),
    "relocate_agree": (Case(NOT_A_PLAYER, rest="{ben}|aaaaaaaaaaaa"),),
    "relocate_decline": (Case(NOT_A_PLAYER, rest="{ben}|aaaaaaaaaaaa"),),
    "claim_win": (REFUSED,),
    "claim_draw": (REFUSED,),
    "claim": (Case(NOT_A_PLAYER, rest="win"), Case(NOT_A_PLAYER, rest="draw")),
    "conditional": (REFUSED,),
    "conditional_at": (Case(NOT_A_PLAYER, rest="{move_id}"), Case(NOT_A_PLAYER, values=("{move_id}",))),
    "conditional_if": (Case(NOT_A_PLAYER, rest="{move_id}|0~"),),
    "conditional_reply": (Case(NOT_A_PLAYER, rest="{move_id}|0~"),),
    "conditional_resign": tuple(Case(NOT_A_PLAYER, rest="{move_id}|" + times) for times in "123"),
    "conditional_delete": (Case(NOT_A_PLAYER, rest="{move_id}"),),
    "conditional_clear": (Case(NOT_A_PLAYER, rest="sure"),),
    "conditional_done": (REFUSED,),
    "conditional_double": (REFUSED,),
    "conditional_double_back": (REFUSED,),
    "conditional_double_set": (Case(NOT_A_PLAYER, rest="take|once"), Case(NOT_A_PLAYER, rest="pass|persistent|sure")),
    # a challenge to somebody else
    "accept_challenge": (Case("challenge.not_for_you", subject="{challenge}", seq="0"),),
    "decline_challenge": (Case("challenge.not_for_you", subject="{challenge}", seq="0"),),
    "cancel_challenge": (Case("challenge.not_yours", subject="{challenge}", seq="0"),),
    "change_challenge": (Case("challenge.change_yours", subject="{challenge}", seq="0"),),
    # the server's settings
    "page_server": (Case(NOT_A_MANAGER, subject="me", seq="0", rest="time"),),
    "set_server": (
        Case(NOT_A_MANAGER, subject="me", seq="0", rest="old_board", values=("delete",)),
        Case(NOT_A_MANAGER, subject="me", seq="0", rest="notification_channel", values=("{channel}",), kind="c"),
        Case(NOT_A_MANAGER, subject="me", seq="0", rest="notification_channel"),
    ),
    "ask_server": (Case(NOT_A_MANAGER, subject="me", seq="0", rest="time"),),
    "fill_server": (Case(NOT_A_MANAGER, subject="me", seq="0", rest="time", fields=("clock",)),),
    # a tournament that others run; its log is open to all
    "tournament_log": (Case(subject="{tournament}", seq="0"), Case(subject="{tournament}", seq="9", rest="older")),
    "tournament_organise": (Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0"),),
    "organise_page": tuple(
        Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest=page)
        for page in ("", "expel", "edit", "undo", "nothing")
    ),
    "organise_pairing": (Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest="adjudicate", values=("1",)),),
    "organise_choice": (
        Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest="expel", values=("1",)),
        Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest="add", values=("{ben}",), kind="u"),
        Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest="edit|late", values=("organiser",)),
        Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest="resume", values=("{channel}",), kind="c"),
    ),
    "organise_reason": (Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest="cancel"),),
    "organise_settings": (Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest="dates"),),
    "organise_edit": (
        Case(
            NOT_AN_ORGANISER,
            subject="{tournament}",
            seq="0",
            rest="players",
            fields=("name", "capacity", "least", "reason"),
        ),
    ),
    "organise_do": tuple(
        Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest=rest, fields=("reason",))
        for rest in ("cancel", "expel|1", "add|{ben}", "pause", "edit|late|organiser", "undo|1")
    ),
    # a challenge of their own that they make out
    "form_game": (Case(subject="anyone", seq="0", rest=DRAFT, values=("abalone,standard",)),),
    "form_kind": (Case(subject="anyone", seq="0", rest=DRAFT, values=("b3",)), Case(INVALID, rest=DRAFT)),
    "form_time": (Case(subject="anyone", seq="0", rest=DRAFT, values=("2",)),),
    "form_opponent": (Case(subject="anyone", seq="0", rest=DRAFT, values=("{ben}",), kind="u"),),
    "form_anyone": (Case(subject="{ben}", seq="0", rest=DRAFT),),
    "form_machine": (Case(subject="anyone", seq="0", rest=DRAFT),),
    "form_level": (
        Case(subject="3", seq="0", rest=DRAFT, values=("1",)),
        Case(INVALID, subject="3", seq="0", rest=DRAFT, values=("99",)),
    ),
    "machine": (OWN_PANEL,),
    "machine_level": (
        Case(subject="me", seq="0", values=("1",)),
        Case(INVALID, subject="me", seq="0", values=("99",)),
    ),
    "machine_profile": (
        Case(subject="me", seq="0", values=("1",)),
        Case(INVALID, subject="me", seq="0", values=("99",)),
    ),
    "machine_options": (Case(subject="me", seq="1"), Case(INVALID, subject="me", seq="99")),
    "machine_play": (Case(INVALID, subject="abalone", seq="99"),),
    "form_side": (
        Case(subject="anyone", seq="0", rest=DRAFT),
        Case("challenge.change_yours", subject="anyone", seq="0", rest=DRAFT + "{challenge}"),
    ),
    "form_rated": (Case(subject="anyone", seq="0", rest=DRAFT),),
    "form_casual": (Case(INVALID, subject="anyone", seq="0", rest="chess,,s,0,r,,,"),),
    "form_ratings": (Case(subject="anyone", seq="0", rest=DRAFT),),
    "fill_ratings": (Case(subject="anyone", seq="0", rest=DRAFT, fields=("ratings",)),),
    # tournaments, which everybody in their server may look at
    "results": (Case(UNKNOWN, subject="nobody", seq="0", rest="standings.1.1.p|back"),),
    "results_why": (Case(UNKNOWN, subject="nobody", seq="0", rest="1.1", values=("1",)),),
    "results_share": (Case(UNKNOWN, subject="nobody", seq="0", rest="standings.1.1.p|share"),),
    "results_pairings": (Case(UNKNOWN, subject="nobody", seq="0", rest="1|back"),),
    "results_history": (Case(subject="me", seq="0", rest="back"), Case(subject="me", seq="99999", rest="back")),
    "top": (Case(subject="abalone", seq="0", rest="live|server|back"),),
    # what they say for all to hear; it comes last, being then their newest message
    "share": (Case(posts=True),),
    "share_profile": (Case(subject="1", seq="0", posts=True),),
    "form_post": (
        Case(INVALID, subject="anyone", seq="0", rest="abalone,,s,99,r,,,"),
        Case("challenge.change_yours", subject="anyone", seq="0", rest=DRAFT + "{challenge}"),
        Case(subject="anyone", seq="0", rest=DRAFT, own=("challenges", "notifications"), posts=True),
    ),
    "challenge_all": (Case(subject="abalone", seq="0", own=("challenges", "notifications"), posts=True),),
}
"""By verb. What has no refusal is open to anybody."""
