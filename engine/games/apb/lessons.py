"""The rules of APB by topic, each with an example, and a guided tour (apb.md). White is always to play."""

from typing import Final

from engine.core.lesson import PLAN, Lesson, Topic

TOPICS: Final[tuple[Topic, ...]] = (
    Topic("setup", "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -"),
    Topic(
        "turn",
        "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -",
        steps="e4-d5 e3-e4",
        refused="e4-d5 e3-e4 d4-c5",
        errors=("apb.turn_ended",),
    ),
    Topic(
        "step",
        "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -",
        steps="d4-c5",
        refused="d4-d3",
        errors=("apb.occupied", "apb.not_neighbour", "apb.off_board", "apb.no_piece", "apb.not_yours"),
    ),
    Topic(
        "once",
        "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -",
        steps="d4-c5 f4-g5",
        refused="d4-c5 c5-c6",
        errors=("apb.already_stepped",),
    ),
    Topic(
        "principal",
        "9/4s4/3sps3/3sss3/9/9/2S3S2/9/3S5/3SPS3/3SSS3/9 w -",
        steps="e3-e4",
        refused="e3-f5",
        errors=("apb.not_in_line",),
    ),
    Topic("run-off", "9/4s4/4p4/3ss4/2s6/9/3SS4/2SS5/3P5/3SS4/9/9 w -", steps="d4-e4"),
    Topic("strike", "9/4s4/4p4/3sss3/9/9/2S1s4/9/3SSS3/4P4/4S4/9 w -", steps="c6-d6"),
    Topic("backed", "9/4s4/4p4/3s1s3/9/9/2S1ss3/9/3SSS3/4P4/4S4/9 w -", steps="c6-d6"),
    Topic("unmoved", "9/9/9/9/3sss3/9/2S1p4/6s2/3SSS3/4P4/4S4/9 w -", steps="c6-d6"),
    Topic("principal-strike", "9/9/4p4/3sss3/9/9/9/1P2s2SS/2SS5/9/4S4/9 w -", steps="b5-c5"),
    Topic("fall", "9/4s4/4p4/3sss3/9/9/6S1s/9/3SSS3/4P4/4S4/9 w -", steps="g6-h6"),
    Topic("chain", "9/9/4p4/3sss3/9/9/S1s1s4/9/9/3SP4/3SS4/9 w -", steps="a6-b6"),
    Topic(
        "room",
        "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -",
        steps="e4-f5",
        refused="pass",
        errors=("apb.must_make_room", "apb.principal_must_step"),
    ),
    Topic("pass", "9/9/4p4/9/2S2S3/4S4/9/9/9/s1s6/ss7/Pss6 w -", steps="pass"),
    Topic("end", "9/9/6s2/4sss2/9/5p3/3S5/4S4/2P2SS2/3S5/9/9 w -", steps="c4-d5", errors=("apb.over",)),
    Topic(
        "notation",
        "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -",
        steps="e4-d5 e3-e4",
        refused="e4-d5 e3-e4>e7",
        errors=("apb.otherwise", "apb.runs_off", "apb.stops_elsewhere", "apb.unreadable"),
    ),
    Topic(PLAN, "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -", steps="e4-e5 e3-e4"),
)

LESSONS: Final[tuple[Lesson, ...]] = (
    Lesson(
        "aim",
        "principal",
        "9/4s4/3sps3/3sss3/9/9/9/9/9/3SPS3/9/9 w -",
        ("e3-e4>e8",),
        key_plays=("e3-e4",),
    ),
    Lesson(
        "strike",
        "strike",
        "9/3ss4/3sps3/9/2S1s4/9/9/9/9/3SP4/9/9 w -",
        ("c8-d8 e3-e4>e9",),
        does=("apb.does.pushes",),
        key_plays=("c8-d8",),
    ),
    Lesson("fall", "fall", "9/4s4/3sps3/9/9/6S1s/9/8s/9/3SP4/9/9 w -", ("g7-h7xs e3-e4>e9",), does=("apb.does.falls",)),
    Lesson(
        "chain",
        "chain",
        "9/4s4/3sps3/3s5/9/4S1s1s/9/9/9/3SP4/9/9 w -",
        ("e7-f7xs e3-e4>e9",),
        does=("apb.does.pushes", "apb.does.falls"),
    ),
    Lesson("stop", "principal", "9/4s4/4p4/3sss3/9/9/3S3s1/9/9/3SP4/9/9 w -", ("e3-e4>e8",), does=("apb.does.stops",)),
    Lesson(
        "room",
        "room",
        "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -",
        ("e4-d5 e3-e4>e8",),
        does=("apb.does.stops",),
        refused="pass",
    ),
    Lesson(
        "brake",
        "run-off",
        "9/6p2/9/2ss1ss2/7S1/9/6S2/9/9/4P4/9/9 w -",
        ("g6-h6 h8-i7 e3-f4>g5",),
        does=("apb.does.stops",),
    ),
    Lesson(
        "send-off",
        "principal-strike",
        "9/4s4/4p4/3sss3/9/9/1P3s3/9/9/2S6/4S4/9 w -",
        ("b6-c6>e6xs",),
        does=("apb.does.stops", "apb.does.falls"),
        key_plays=("b6-c6", "b6-c7"),
    ),
    Lesson(
        "win",
        "end",
        "9/9/3s5/2s1ss1s1/5p3/4S4/9/2P6/3S5/9/9/9 w -",
        ("e7-d7 c5-d6>e7xp#",),
        does=("apb.does.wins",),
    ),
)
