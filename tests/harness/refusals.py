"""Refusals as data: for each rule a position of each game and what is typed there that the rule forbids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

CUBE: Final = "cube"


class Case(NamedTuple):
    """Whoever is to act at a position types a text that is refused for the rule of ``key``."""

    key: str
    position: str
    typed: str
    option: str = ""
    """An option of the game that is on."""


ABAK = "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:1:31:0:0:0:0:10"
BACKGAMMON = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
APB = "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -"
ABALONE = "5/6/7/8/9/8/2bbb2/6/5 b 0 0"

TYPED: Final[Mapping[str, tuple[Case, ...]]] = {
    "abak": (
        Case("abak.no_point", ABAK, "0/3"),
        Case("abak.unreadable", ABAK, "13"),
        Case("cube.after_roll", ABAK, "double"),
        Case("cube.no_offer", ABAK, "take"),
        Case("cube.rolled", ABAK, "roll"),
        Case("abak.bar_empty", "ABAKID=16/S/6/ss:-:0:0:1:32:0:0:0:0:10", "bar:S/22"),
        Case("abak.may_not_pass", "ABAKID=16/S/6/ss:-:0:0:1:32:0:0:0:0:10", "pass"),
        Case("abak.no_die", "ABAKID=16/S/6/ss:-:0:0:1:32:0:0:0:0:10", "8/4"),
        Case("abak.no_stone", "ABAKID=16/S/6/ss:-:0:0:1:32:0:0:0:0:10", "9/6"),
        Case("abak.general_went_back", "ABAKID=11/K/4/S/6/ss:-:0:0:1:32:0:0:0:0:10", "13/16/14"),
        Case("abak.general_went_forward", "ABAKID=11/K/4/S/6/ss:-:0:0:1:32:0:0:0:0:10", "13/10 10/12"),
        Case(
            "cube.answer_first", "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:1:D:0:0:0:0:10", "31"
        ),
        Case(
            "cube.unreadable",
            "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:1:D:0:0:0:0:10",
            "perhaps",
        ),
        Case("abak.general_past", "ABAKID=1/K/14/S/6/ss:-:0:0:1:32:0:0:0:0:10", "23/25"),
        Case("abak.pair_druid", "ABAKID=10/D/1/S/1/g/8/ss:-:0:0:1:42:0:0:0:0:10", "14/10+12/10"),
        Case("abak.pair_guard", "ABAKID=10/G/1/S/1/g/8/ss:-:0:0:1:42:0:0:0:0:10", "14/10+12/10"),
        Case("abak.pair_points", "ABAKID=10/S/1/S/1/g/8/ss:-:0:0:1:42:0:0:0:0:10", "14/10+12/8"),
        Case("abak.pair_no_guard", "ABAKID=10/S/1/S/1/s/8/ss:-:0:0:1:42:0:0:0:0:10", "14/10+12/10"),
        Case("abak.more_dice", "ABAKID=10/S/1/ss/3/S/6/ss:-:0:0:1:62:0:0:0:0:10", "8/2"),
        Case("abak.even_die", "ABAKID=11/E/4/S/6/ss:-:0:0:1:32:0:0:0:0:10", "13/10"),
        Case("abak.odd_die", "ABAKID=11/O/4/S/6/ss:-:0:0:1:32:0:0:0:0:10", "13/11"),
        Case("abak.covered", "ABAKID=14/Sd/1/S/6/ss:-:0:0:1:32:0:0:0:0:10", "10/7"),
        Case("abak.general_comrades_home", "ABAKID=16/K/6/ss:-:0:0:1:32:0:0:0:0:10", "8/10"),
        Case("abak.only_general_back", "ABAKID=16/S/1/K/4/ss:-:0:0:1:32:0:0:0:0:10", "8/11"),
        Case("abak.ambiguous", "ABAKID=16/S/2/s/3/ss:-:0:0:1:32:0:0:0:0:10", "8/3"),
        Case("abak.blocked", "ABAKID=16/S/2/ss/3/ss:-:0:0:1:32:0:0:0:0:10", "8/5"),
        Case("abak.not_on_bar", "ABAKID=16/S/6/ss:G:0:0:1:32:0:0:0:0:10", "bar:S/22"),
        Case("abak.bar_first", "ABAKID=16/S/6/ss:S:0:0:1:32:0:0:0:0:10", "8/5"),
        Case("abak.five_stones", "ABAKID=16/S/sDSSS/5/ss:-:0:0:1:21:0:0:0:0:10", "8/7"),
        Case("abak.guard_blocks", "ABAKID=18/D/1/g/2/ss:-:0:0:1:42:0:0:0:0:10", "6/4"),
        Case("abak.higher_die", "ABAKID=4/S/1/ss/3/ss/5/S/6/ss:-:0:0:1:62:0:0:0:0:10", "8/6"),
        Case(
            "cube.roll_first",
            "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:1:00:0:0:0:0:10",
            "31",
            CUBE,
        ),
        Case("abak.pair_dice", "ABAKID=S/9/SS/3/g/8/ss:-:0:0:1:42:0:0:0:0:10", "14/10+14/10"),
        Case("abak.too_many_moves", "ABAKID=SSSSS/22/ss:-:0:0:1:11:0:0:0:0:10", "24/23(4) 24/23"),
        Case("abak.prisoner_out", "ABAKID=s/13/Sd/5/S/3:-:0:0:1:43:0:0:0:0:10", "4/off"),
        Case("abak.not_home", "ABAKID=s/16/S/2/S/3:-:0:0:1:43:0:0:0:0:10", "4/off"),
        Case("abak.higher_stone", "ABAKID=s/17/E/2/S/2:-:0:0:1:51:0:0:0:0:10", "3/off"),
    ),
    "backgammon": (
        Case("backgammon.may_not_pass", BACKGAMMON, "PASS"),
        Case("backgammon.no_checker", BACKGAMMON, "7/4"),
        Case("backgammon.no_die", BACKGAMMON, "8/3"),
        Case("backgammon.no_point", BACKGAMMON, "29/26"),
        Case("backgammon.unreadable", BACKGAMMON, "8/"),
        Case("cube.after_roll", BACKGAMMON, "double"),
        Case("cube.no_offer", BACKGAMMON, "take"),
        Case("cube.rolled", BACKGAMMON, "roll"),
        Case("cube.answer_first", "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10", "31"),
        Case("cube.unreadable", "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10", "perhaps"),
        Case("backgammon.not_home", "XGID=---CCDD--A---------ddcbb--:0:0:1:53:0:0:0:0:10", "5/off"),
        Case("backgammon.more_dice", "XGID=--B-bA---B---bb-----------:0:0:1:51:0:0:0:0:10", "2/1"),
        Case("backgammon.higher_checker", "XGID=--CB-B-------------bbbbb--:0:0:1:64:0:0:0:0:10", "3/off"),
        Case("backgammon.bar_empty", "XGID=-AB-BCCa---------bbbbbb---:0:0:1:31:0:0:0:0:10", "bar/0"),
        Case("backgammon.wrong_way", "XGID=-CBB-B-----------------bb-:0:0:1:22:0:0:0:0:10", "0/0"),
        Case("backgammon.higher_die", "XGID=-CCDC----A-----bb--dcAbb--:0:0:1:65:0:0:0:0:10", "9/4"),
        Case("backgammon.ambiguous", "XGID=-b----E-C---eE---c--a---B-:0:0:1:54:0:0:0:0:10", "24/15"),
        Case("backgammon.bar_first", "XGID=-b----E-C---eE---c-d-a--AA:0:0:1:61:0:0:0:0:10", "8/7"),
        Case("cube.roll_first", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "31", CUBE),
        Case("backgammon.blocked", "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10", "24/19"),
        Case("backgammon.too_many_moves", "XGID=-b----E-C---eE---c-e----B-:0:0:1:55:0:0:0:0:10", "13/8(4) 6/1"),
        Case("backgammon.no_hit", "XGID=-b----E-C--AeD--ab-da---B-:0:0:1:43:0:0:0:0:10", "13/10*"),
    ),
    "abalone": (
        Case("abalone.no_such_cell", ABALONE, "a6b6"),
        Case("abalone.not_in_line", ABALONE, "c3e4d3"),
        Case("abalone.not_neighbours", ABALONE, "c3e5"),
        Case("abalone.own_in_way", ABALONE, "c3c4c4"),
        Case("abalone.too_many", ABALONE, "c3c6d3"),
        Case("abalone.unreadable", ABALONE, "c3"),
        Case("abalone.broadside_pushes", "5/6/4w2/3w1w2/6w2/5w2/2bbb2/2bb2/5 b 0 0", "c3c5d4"),
        Case("abalone.own_behind", "5/6/4ww1/3ww3/2bbwb3/2b5/3b3/6/5 b 0 0", "e3e4"),
        Case("abalone.pac", "5/6/4ww1/5w2/2bbww3/1b6/2b1b2/6/5 b 0 0", "e3e4"),
        Case("abalone.outnumbered", "5/6/7/8/2bww4/8/7/6/5 b 0 0", "e3e4"),
        Case("abalone.off_board", "5/6/7/8/7bb/8/7/6/5 b 0 0", "e8e9f9"),
        Case("abalone.not_yours", "5/6/7/8/9/8/2bbbw1/6/5 b 0 0", "c4c6c5"),
        Case("abalone.no_marble", "5/6/7/8/9/8/b6/6/5 b 0 0", "e9e10"),
        Case("abalone.own_out", "5/6/7/8/b8/8/7/6/5 b 0 0", "e1e0"),
    ),
    "apb": (
        Case("apb.already_stepped", APB, "d4-c5 c5-c6"),
        Case("apb.must_make_room", APB, "pass"),
        Case("apb.no_piece", APB, "a1-a2"),
        Case("apb.not_neighbour", APB, "e4-e6"),
        Case("apb.not_yours", APB, "e10-e8"),
        Case("apb.occupied", APB, "d4-d3"),
        Case("apb.off_board", APB, "d2-d0"),
        Case("apb.principal_must_step", APB, "e4-d5 pass"),
        Case("apb.turn_ended", APB, "e4-d5 e3-e4 d4-c5"),
        Case("apb.unreadable", APB, "e4"),
        Case("apb.not_in_line", "9/4s4/3sps3/3sss3/9/9/2S3S2/9/3S5/3SPS3/3SSS3/9 w -", "e3-f5"),
        Case("apb.otherwise", "p8/9/9/9/9/9/P2s5/9/9/9/9/9 w -", "a6-b6xp#"),
    ),
}
"""By game."""
