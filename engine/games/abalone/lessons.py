"""The rules of Abalone by topic, each with an example, and a guided tour (abalone.md). Black is always to play."""

from typing import Final

from engine.core.lesson import PLAN, Lesson, Topic

TOPICS: Final[tuple[Topic, ...]] = (
    Topic("setup", "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0"),
    Topic(
        "turn",
        "5/4w1/3www1/3ww3/9/3b4/2bbb2/1bb3/5 b 0 0",
        steps="d4e4",
        refused="f5e5",
        errors=("abalone.not_yours", "abalone.no_marble", "abalone.not_neighbours"),
    ),
    Topic("in-line", "5/2w1w1/3w1w1/3w4/9/3b1b2/2b1b2/1b4/5 b 0 0", steps="b2c3"),
    Topic(
        "broadside",
        "5/6/4w2/3w1w2/6w2/5w2/2bbb2/2bb2/5 b 0 0",
        steps="c3c5d3",
        refused="c3c5d4",
        errors=("abalone.broadside_pushes", "abalone.own_in_way"),
    ),
    Topic(
        "group",
        "5/6/2www2/5w2/1bbbb4/2b5/7/6/5 b 0 0",
        steps="e3e4",
        refused="e2e3",
        errors=("abalone.too_many", "abalone.not_in_line"),
    ),
    Topic("sumito", "5/6/4ww1/3w1w2/2bbw4/2b5/2bb3/6/5 b 0 0", steps="e3e4"),
    Topic("sumito-3-1", "5/2w3/1w5/2w1w3/4b1w2/3b4/2bb3/2b3/5 b 0 0", steps="c3d4"),
    Topic("sumito-3-2", "5/6/3ww2/6w1/1bbbww3/1b6/3b3/6/5 b 0 0", steps="e2e3"),
    Topic("sumito-4-2", "5/6/3ww2/6w1/bbbbww3/1b6/3b3/6/5 b 0 0", steps="e2e3"),
    Topic(
        "pac",
        "5/6/4ww1/5w2/2bbww3/2b5/3b3/2b3/5 b 0 0",
        refused="e3e4",
        errors=("abalone.pac", "abalone.outnumbered"),
    ),
    Topic("blocked", "5/6/4ww1/3ww3/2bbwb3/2b5/3b3/6/5 b 0 0", refused="e3e4", errors=("abalone.own_behind",)),
    Topic("ejection", "5/6/4ww1/4w1w1/6bbw/5bb1/4b2/6/5 b 0 0", steps="e7e8"),
    Topic(
        "edge",
        "5/6/4ww1/4ww2/6bbb/4b3/3b3/6/5 b 0 0",
        steps="e7e9d6",
        refused="e7e8",
        errors=("abalone.own_out", "abalone.off_board"),
    ),
    Topic("end", "5/6/3ww2/3ww1w1/4wbb2/5bbw/3bb2/1bb3/5 b 5 4", steps="d6d7", errors=("abalone.over",)),
    Topic("repetition", "5/4w1/3www1/5w2/3b5/2b5/2bb3/2b3/5 b 0 0", steps="e4e5"),
    Topic(
        "notation",
        "5/6/3ww2/3w1w2/6b2/6b1/2bbb2/1b4/5 b 0 0",
        steps="c3c5d3",
        refused="c3d9",
        errors=(
            "abalone.no_such_cell",
            "abalone.unreadable",
            "abalone.lower_first",
            "abalone.named_by_rear",
        ),
    ),
    Topic("words", "b4/6/1ww4/5bb1/bbb2bb2/8/7/b2bb1/5 b 0 0", steps="e1e2"),
    Topic("shapes", "5/3w2/2ww3/ww4w1/bbb3b2/5b2/4b2/1bb3/b1b2 b 0 0", steps="c5d6"),
    Topic(PLAN, "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0", steps="c3d4"),
)

LESSONS: Final[tuple[Lesson, ...]] = (
    Lesson("aim", "turn", "5/4w1/3www1/3ww3/9/3b4/2bbb2/6/5 b 0 0", ("d4e4",)),
    Lesson("in-line", "in-line", "5/4w1/4ww1/3w1w2/9/3b1b2/2b1b2/1b1b2/5 b 0 0", ("b2c3",)),
    Lesson("broadside", "broadside", "5/6/4ww1/3www2/9/8/2bbb2/1bb3/2b2 b 0 0", ("c3c5d3", "c3c5d4")),
    Lesson("sumito", "sumito", "5/6/2w1w2/4w3/6w2/2bbw3/1bb4/2b3/5 b 0 0", ("d3d4*",), does=("abalone.does.pushes",)),
    Lesson("sumito-3-1", "sumito-3-1", "5/4w1/2ww3/2w1w3/4b4/3b4/2b1b2/2bb2/5 b 0 0", ("c3d4*",)),
    Lesson("sumito-3-2", "sumito-3-2", "5/6/3ww2/6w1/1bbbww3/4b3/2bb3/6/5 b 0 0", ("e2e3*",)),
    Lesson("pac", "pac", "5/6/4ww1/5w2/2bbww3/1b6/2b1b2/6/5 b 0 0", ("d2e2",), refused="e3e4"),
    Lesson(
        "ejection",
        "ejection",
        "5/6/5w1/4w1w1/6bbw/5bw1/3bb2/2b3/5 b 0 0",
        ("e7e8*x",),
        does=("abalone.does.ejects",),
    ),
    Lesson(
        "win",
        "end",
        "5/6/3ww1w/4w1w1/5bbw1/5bb1/3bb2/3b2/5 b 5 5",
        ("c5d6*x",),
        does=("abalone.does.wins",),
    ),
)
