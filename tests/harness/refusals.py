"""Refusals as data: for each rule a position of each game and what is typed there that the rule forbids."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class Case(NamedTuple):
    """A text that the player to act types in a position, and that is refused by the rule of ``key``."""

    key: str
    position: str
    typed: str
    options: Mapping[str, str] = MappingProxyType({})
    """The options of the game."""


ABAK = "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:1:31:0:0:0:0:10"
BACKGAMMON = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
APB = "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -"
ABALONE = "5/6/7/8/9/8/2bbb2/6/5 b 0 0"

REFUSED: Final[Mapping[str, Mapping[str, Mapping[str, str]]]] = {
    "abak": {
        ABAK: {
            "abak.no_point": "0/3",
            "abak.unreadable": "13 to 10",
            "cube.after_roll": "double",
            "cube.no_offer": "take",
            "cube.not_in_play": "double",
            "cube.rolled": "roll",
        },
        "ABAKID=16/S/6/ss:-:0:0:1:32:0:0:0:0:10": {
            "abak.bar_empty": "bar:S/22",
            "abak.may_not_pass": "pass",
            "abak.no_die": "8/4",
            "abak.no_stone": "9/6",
        },
        "ABAKID=11/K/4/S/6/ss:-:0:0:1:32:0:0:0:0:10": {
            "abak.general_went_back": "13/16/14",
            "abak.general_went_forward": "13/10 10/12",
        },
        "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:1:D:0:0:0:0:10": {
            "cube.answer_first": "31",
            "cube.no_beavers": "beaver",
            "cube.unreadable": "perhaps",
        },
        "ABAKID=1/K/14/S/6/ss:-:0:0:1:32:0:0:0:0:10": {"abak.general_past": "23/25"},
        "ABAKID=10/D/1/S/1/g/8/ss:-:0:0:1:42:0:0:0:0:10": {"abak.pair_druid": "14/10+12/10"},
        "ABAKID=10/G/1/S/1/g/8/ss:-:0:0:1:42:0:0:0:0:10": {"abak.pair_guard": "14/10+12/10"},
        "ABAKID=10/S/1/S/1/g/8/ss:-:0:0:1:42:0:0:0:0:10": {"abak.pair_points": "14/10+12/8"},
        "ABAKID=10/S/1/S/1/SSSSg/8/s:-:0:0:1:42:0:0:0:0:10": {"abak.pair_full": "14/10+12/10"},
        "ABAKID=10/S/1/S/1/s/8/ss:-:0:0:1:42:0:0:0:0:10": {"abak.pair_no_guard": "14/10+12/10"},
        "ABAKID=10/S/1/ss/3/S/6/ss:-:0:0:1:62:0:0:0:0:10": {"abak.more_dice": "8/2"},
        "ABAKID=11/E/4/S/6/ss:-:0:0:1:32:0:0:0:0:10": {"abak.even_die": "13/10"},
        "ABAKID=11/O/4/S/6/ss:-:0:0:1:32:0:0:0:0:10": {"abak.odd_die": "13/11"},
        "ABAKID=14/Sd/1/S/6/ss:-:0:0:1:32:0:0:0:0:10": {"abak.covered": "10/7"},
        "ABAKID=16/K/6/ss:-:0:0:1:32:0:0:0:0:10": {"abak.general_comrades_home": "8/10"},
        "ABAKID=16/S/1/K/4/ss:-:0:0:1:32:0:0:0:0:10": {"abak.only_general_back": "8/11"},
        "ABAKID=16/S/2/s/3/ss:-:0:0:1:32:0:0:0:0:10": {"abak.ambiguous": "8/3"},
        "ABAKID=16/S/2/ss/3/ss:-:0:0:1:32:0:0:0:0:10": {"abak.blocked": "8/5"},
        "ABAKID=16/S/6/ss:G:0:0:1:32:0:0:0:0:10": {"abak.not_on_bar": "bar:S/22"},
        "ABAKID=16/S/6/ss:S:0:0:1:32:0:0:0:0:10": {"abak.bar_first": "8/5"},
        "ABAKID=16/S/sDSSS/5/ss:-:0:0:1:21:0:0:0:0:10": {"abak.five_stones": "8/7"},
        "ABAKID=18/D/1/g/2/ss:-:0:0:1:42:0:0:0:0:10": {"abak.guard_blocks": "6/4"},
        "ABAKID=4/S/1/ss/3/ss/5/S/6/ss:-:0:0:1:62:0:0:0:0:10": {"abak.higher_die": "8/6"},
        "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:1:00:0:0:0:0:10": {"cube.roll_first": "31"},
        "ABAKID=S/9/SS/3/g/8/ss:-:0:0:1:42:0:0:0:0:10": {"abak.pair_dice": "14/10+14/10"},
        "ABAKID=SSSSS/22/ss:-:0:0:1:11:0:0:0:0:10": {"abak.too_many_moves": "24/23(4) 24/23"},
        "ABAKID=s/13/Sd/5/S/3:-:0:0:1:43:0:0:0:0:10": {"abak.prisoner_out": "4/off"},
        "ABAKID=s/16/S/2/S/3:-:0:0:1:43:0:0:0:0:10": {"abak.not_home": "4/off"},
        "ABAKID=s/17/E/2/S/2:-:0:0:1:51:0:0:0:0:10": {"abak.higher_stone": "3/off"},
    },
    "backgammon": {
        BACKGAMMON: {
            "backgammon.may_not_pass": "PASS",
            "backgammon.no_checker": "7/4",
            "backgammon.no_die": "8/3",
            "backgammon.no_point": "29/26",
            "backgammon.unreadable": "8 to 5",
            "cube.after_roll": "double",
            "cube.no_offer": "take",
            "cube.not_in_play": "double",
            "cube.rolled": "roll",
        },
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10": {
            "cube.answer_first": "31",
            "cube.no_beavers": "beaver",
            "cube.unreadable": "perhaps",
        },
        "XGID=---CCDD--A---------ddcbb--:0:0:1:53:0:0:0:0:10": {"backgammon.not_home": "5/off"},
        "XGID=--B-bA---B---bb-----------:0:0:1:51:0:0:0:0:10": {"backgammon.more_dice": "2/1"},
        "XGID=--CB-B-------------bbbbb--:0:0:1:64:0:0:0:0:10": {"backgammon.higher_checker": "3/off"},
        "XGID=-AB-BCCa---------bbbbbb---:0:0:1:31:0:0:0:0:10": {"backgammon.bar_empty": "bar/0"},
        "XGID=-CBB-B-----------------bb-:0:0:1:22:0:0:0:0:10": {"backgammon.wrong_way": "0/0"},
        "XGID=-CCDC----A-----bb--dcAbb--:0:0:1:65:0:0:0:0:10": {"backgammon.higher_die": "9/4"},
        "XGID=-b----E-C---eE---c--a---B-:0:0:1:54:0:0:0:0:10": {"backgammon.ambiguous": "24/15"},
        "XGID=-b----E-C---eE---c-d-a--AA:0:0:1:61:0:0:0:0:10": {"backgammon.bar_first": "8/7"},
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10": {"cube.roll_first": "31"},
        "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:0:0:0:0:10": {"cube.not_yours": "double"},
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:3:6:1:7:10": {"cube.crawford": "double"},
        "XGID=-b----E-C---eE---c-e----B-:10:1:1:31:0:0:0:0:10": {"cube.highest": "double"},
        "XGID=-b----E-C---eE---c-e----B-:2:1:1:31:3:2:0:7:10": {"cube.dead": "double"},
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10": {"backgammon.blocked": "24/19"},
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:55:0:0:0:0:10": {"backgammon.too_many_moves": "13/8(4) 6/1"},
        "XGID=-b----E-C--AeD--ab-da---B-:0:0:1:43:0:0:0:0:10": {"backgammon.no_hit": "13/10*"},
    },
    "abalone": {
        ABALONE: {
            "abalone.no_such_cell": "a6b6",
            "abalone.not_in_line": "c3e4d3",
            "abalone.not_neighbours": "c3e5",
            "abalone.own_in_way": "c3c4c4",
            "abalone.too_many": "c3c6d3",
            "abalone.unreadable": "c3 to",
        },
        "5/6/4w2/3w1w2/6w2/5w2/2bbb2/2bb2/5 b 0 0": {"abalone.broadside_pushes": "c3c5d4"},
        "5/6/4ww1/3ww3/2bbwb3/2b5/3b3/6/5 b 0 0": {"abalone.own_behind": "e3e4"},
        "5/6/4ww1/5w2/2bbww3/1b6/2b1b2/6/5 b 0 0": {"abalone.pac": "e3e4"},
        "5/6/7/8/2bww4/8/7/6/5 b 0 0": {"abalone.outnumbered": "e3e4"},
        "5/6/7/8/7bb/8/7/6/5 b 0 0": {"abalone.off_board": "e8e9f9"},
        "5/6/7/8/9/8/2bbbw1/6/5 b 0 0": {"abalone.not_yours": "c4c6c5"},
        "5/6/7/8/9/8/b6/6/5 b 0 0": {"abalone.no_marble": "e9e10"},
        "5/6/7/8/b8/8/7/6/5 b 0 0": {"abalone.own_out": "e1e0"},
    },
    "apb": {
        APB: {
            "apb.already_stepped": "d4-c5 c5-c6",
            "apb.must_make_room": "pass",
            "apb.no_piece": "a1-a2",
            "apb.not_neighbour": "e4-e6",
            "apb.not_yours": "e10-e8",
            "apb.occupied": "d4-d3",
            "apb.off_board": "d2-d0",
            "apb.principal_must_step": "e4-d5 pass",
            "apb.runs_off": "d4-c4 e3-a7",
            "apb.stops_elsewhere": "e4-e5 e3-e12",
            "apb.turn_ended": "e4-d5 e3-e4 d4-c5",
            "apb.unreadable": "e4 to",
        },
        "9/4s4/3sps3/3sss3/9/9/2S3S2/9/3S5/3SPS3/3SSS3/9 w -": {"apb.not_in_line": "e3-f5"},
        "p8/9/9/9/9/9/P2s5/9/9/9/9/9 w -": {"apb.otherwise": "a6-b6xp#"},
    },
}
"""By game and position: for each key what is typed there."""

CUBE: Final = ("roll_first", "after_roll", "not_yours", "crawford", "highest", "dead")
OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {f"cube.{key}": {"cube": "on"} for key in CUBE}
"""By key: the options of the game without which the rule forbids nothing."""

TYPED: Final[Mapping[str, tuple[Case, ...]]] = {
    game: tuple(
        Case(key, position, typed, OPTIONS.get(key, {}))
        for position, refused in positions.items()
        for key, typed in refused.items()
    )
    for game, positions in REFUSED.items()
}
"""By game."""
