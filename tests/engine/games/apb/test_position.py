"""The position text."""

import pytest

from engine.core.errors import BadNotation
from engine.core.game import Outcome
from engine.games.apb import GAME
from engine.games.apb.board import START, cells, stepped

REST = "9/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9"


@pytest.mark.parametrize(
    "text",
    [
        START,
        "9/3sss3/3sps3/3sss3/9/9/9/3S5/4S1S2/3SPSS2/4S4/3S5 w d1,d5,e4,f3,g3,g4",
        "2ss2s2/6s2/2s1p4/2s2s3/5s3/9/9/9/3PSSS2/3S5/9/2S1SS3 b c10,c12,c9,d12,f8,g11,g12",
        "p8/9/9/9/9/9/9/9/9/9/9/S8 w -",
    ],
)
def test_a_canonical_text_comes_back(text: str) -> None:
    assert GAME.encode(GAME.decode(text)) == text


def test_what_a_text_says() -> None:
    state = GAME.decode("8p/9/9/9/s8/9/9/9/9/9/9/PS7 b a8")
    assert cells(state) == {"a1": "P", "b1": "S", "i12": "p", "a8": "s"}
    assert stepped(state) == {"a8"}
    assert GAME.to_act(state) == 1


def test_the_stepped_cells_may_come_in_any_order() -> None:
    text = "p8/9/9/S8/9/9/9/9/9/9/PSS6/9 w c2,a9,b2"
    assert GAME.encode(GAME.decode(text)).endswith(" w a9,b2,c2")


@pytest.mark.parametrize(("side", "reason"), [("w", "apb.end.sent_off"), ("b", "apb.end.ran_off")])
def test_a_missing_principal_is_the_end(side: str, reason: str) -> None:
    state = GAME.decode(f"p8/9/9/9/9/9/9/9/9/9/9/S8 {side} -")
    assert GAME.outcome(state) == Outcome((-1, 1), reason)
    assert GAME.to_act(state) is None


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "apb.position_fields"),
        (f"9/{REST}", "apb.position_fields"),
        (f"9/{REST} w", "apb.position_fields"),
        (f"9/{REST} w - -", "apb.position_fields"),
        (f"{REST} w -", "apb.position_rows"),
        (f"9/9/{REST} w -", "apb.position_rows"),
        (f"8/{REST} w -", "apb.position_row"),
        (f"91/{REST} w -", "apb.position_row"),
        (f"9S/{REST} w -", "apb.position_row"),
        (f"S8S1/{REST} w -", "apb.position_row"),
        (f"/{REST} w -", "apb.position_row"),
        (f"x8/{REST} w -", "apb.position_letter"),
        (f"09/{REST} w -", "apb.position_letter"),
        (f"٣6/{REST} w -", "apb.position_letter"),
        (f"S8/{REST} w -", "apb.position_pieces"),
        (f"4ssss1/{REST} w -", "apb.position_pieces"),
        (f"P8/{REST} w -", "apb.position_pieces"),
        (f"p8/{REST} b -", "apb.position_pieces"),
        ("9/9/9/9/9/9/9/9/9/9/9/S8 w -", "apb.position_principals"),
        (f"9/{REST} x -", "apb.position_side"),
        (f"9/{REST} W -", "apb.position_side"),
        (f"9/{REST} wb -", "apb.position_side"),
        (f"9/{REST} w a1", "apb.position_stepped"),
        (f"9/{REST} w e3", "apb.position_stepped"),
        (f"9/{REST} w d9", "apb.position_stepped"),
        (f"9/{REST} w z9", "apb.position_stepped"),
        (f"9/{REST} w d2,", "apb.position_stepped"),
    ],
)
def test_bad_texts_say_what_is_wrong(text: str, key: str) -> None:
    with pytest.raises(BadNotation) as caught:
        GAME.decode(text)
    assert caught.value.key == key
