"""The rules of backgammon by topic, with examples, and a guided tour (backgammon.md). White is always to play."""

from typing import Final

from engine.core.lesson import PLAN, Lesson, Topic
from engine.kits.cube import REFUSALS as CUBE

TOPICS: Final[tuple[Topic, ...]] = (
    Topic("setup", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"),
    Topic(
        "opening",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:0:10",
        steps="24/14",
        errors=("backgammon.roll_first", "backgammon.rolled_already", "backgammon.no_such_roll", "dice.unreadable"),
    ),
    Topic(
        "turn",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
        steps="8/5 6/5",
        refused="8/3",
        errors=("backgammon.no_die", "backgammon.no_checker", "backgammon.wrong_way", "backgammon.too_many_moves"),
    ),
    Topic("doubles", "XGID=-b----E-C---eE---c-e----B-:0:0:1:33:0:0:0:0:10", steps="8/5(2) 6/3(2)"),
    Topic(
        "landing",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10",
        steps="13/11 13/8",
        refused="24/19",
        errors=("backgammon.blocked",),
    ),
    Topic(
        "hit",
        "XGID=-b----E-C--AeD--ab-da---B-:0:0:1:43:0:0:0:0:10",
        steps="24/20* 11/8",
        refused="13/10*",
        errors=("backgammon.no_hit",),
    ),
    Topic(
        "bar",
        "XGID=-b----E-C---dE---c-db---AA:0:0:1:43:0:0:0:0:10",
        steps="bar/21 24/21",
        refused="13/10",
        errors=("backgammon.bar_first", "backgammon.bar_empty"),
    ),
    Topic(
        "all-dice",
        "XGID=-EEC------A-----b--dAdbc--:0:0:1:64:0:0:0:0:10",
        steps="20/10",
        refused="10/4",
        errors=("backgammon.more_dice",),
    ),
    Topic(
        "higher-die",
        "XGID=-EEC------A---b-b--cAcbc--:0:0:1:64:0:0:0:0:10",
        steps="10/4",
        refused="10/6",
        errors=("backgammon.higher_die",),
    ),
    Topic(
        "pass", "XGID=-----BD-D---aD---a-cbbbbbA:0:0:1:53:0:0:0:0:10", steps="pass", errors=("backgammon.may_not_pass",)
    ),
    Topic(
        "bearing-off",
        "XGID=---CCDD--A---------ddcbb--:0:0:1:53:0:0:0:0:10",
        steps="9/6 5/off",
        refused="5/off",
        errors=("backgammon.not_home",),
    ),
    Topic(
        "gap",
        "XGID=--CB-B-------------bbbbb--:0:0:1:64:0:0:0:0:10",
        steps="5/off 5/1",
        refused="3/off",
        errors=("backgammon.higher_checker",),
    ),
    Topic(
        "score", "XGID=-AA----a----a------edd----:0:0:1:31:0:0:0:0:10", steps="2/off 1/off", errors=("backgammon.over",)
    ),
    Topic(
        "cube",
        "XGID=---BBCDBB---------bddcb---:0:0:-1:D:0:0:1:0:10",
        refused="8/7",
        errors=CUBE,
    ),
    Topic(
        "match",
        "XGID=-a---CE-C---dC---c-e-b--A-:0:0:1:42:4:2:1:5:10",
        steps="8/4 6/4",
        errors=("cube.crawford", "cube.dead"),
    ),
    Topic(
        "notation",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10",
        steps="13/7 8/7",
        refused="13 to 7",
        errors=("backgammon.unreadable", "backgammon.no_point", "backgammon.ambiguous"),
    ),
    Topic(PLAN, "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", steps="8/5 6/5"),
)

LESSONS: Final[tuple[Lesson, ...]] = (
    Lesson(
        "aim",
        "setup",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:65:0:0:0:0:10",
        ("24/13",),
        refused="24/19",
    ),
    Lesson("point", "turn", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", ("8/5 6/5",)),
    Lesson(
        "hit",
        "hit",
        "XGID=-b----E-C--AdD-a-c-da---B-:0:0:1:42:0:0:0:0:10",
        ("24/20* 6/4",),
        does=("backgammon.does.hits",),
    ),
    Lesson(
        "bar",
        "bar",
        "XGID=-b----E-C---dE---c-daa--AA:0:0:1:53:0:0:0:0:10",
        ("bar/20* 24/21*",),
        does=("backgammon.does.enters", "backgammon.does.hits"),
        refused="13/8",
    ),
    Lesson("doubles", "doubles", "XGID=-b----E-C---eE---c-e----B-:0:0:1:11:0:0:0:0:10", ("8/7(2) 6/5(2)",)),
    Lesson(
        "all-dice",
        "all-dice",
        "XGID=-CCDC----A------b--ecAcb--:0:0:1:65:0:0:0:0:10",
        ("21/15 9/4", "21/10"),
        refused="9/3",
    ),
    Lesson("higher-die", "higher-die", "XGID=-CCDC----A-----bb--dcAbb--:0:0:1:65:0:0:0:0:10", ("9/3",), refused="9/4"),
    Lesson("bear-off", "bearing-off", "XGID=-B-BCC-------------cbcb---:0:0:1:41:0:0:0:0:10", ("4/off 1/off",)),
    Lesson(
        "gammon",
        "score",
        "XGID=---BCDE---A------------aa-:0:0:1:64:0:0:0:0:10",
        ("10/off",),
        does=("backgammon.does.bears_off",),
    ),
    Lesson(
        "take",
        "cube",
        "XGID=---BBCDBB---------bddcb---:0:0:-1:D:0:0:1:0:10",
        ("take",),
        does=("cube.does.takes",),
        refused="8/7",
    ),
)
