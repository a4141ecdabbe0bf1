"""The engine against a plain reading of the rule book, cell by cell, along random games."""

import random

from harness.thinning import one_of

from engine.games.apb import GAME, PASS, State
from engine.games.apb.board import cells, stepped

COLUMNS = "abcdefghi"
WAYS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
Board = dict[str, str]
Way = tuple[int, int]


def beside(cell: str, way: Way) -> str:
    """Returns the next cell, or "" off the board."""
    column, row = COLUMNS.index(cell[0]) + way[0], int(cell[1:]) + way[1]
    return f"{COLUMNS[column]}{row}" if 0 <= column < 9 and 1 <= row <= 12 else ""


def travel(board: Board, moved: dict[str, str], cell: str, way: Way, *, far: bool) -> None:
    """Moves the piece in ``cell`` one cell, or as far as it can go, and strikes where it arrives."""
    piece, here = board.pop(cell), cell
    while True:
        following = beside(here, way)
        if not following:
            moved[cell] = ""
            return
        if following in board:
            break
        here = following
        if not far:
            break
    board[here] = piece
    moved[cell] = here
    struck = beside(here, way)
    if not struck or struck not in board:
        return
    behind = beside(struck, way)
    if behind and behind in board:
        return
    principal = piece in "Pp"
    if not principal and board[struck] in "Pp":
        return
    travel(board, moved, struck, way, far=principal)


def has_room(board: Board, seat: int) -> bool:
    home = next(cell for cell, piece in board.items() if piece == "Pp"[seat])
    return any(beside(home, way) and beside(home, way) not in board for way in WAYS)


def expected(state: State) -> dict[str, tuple[Board, frozenset[str], int]]:
    """Returns by its text the result of each step: the board, the stepped cells, the side to move."""
    board, done, seat = cells(state), stepped(state), state.turn
    if not {"P", "p"} <= set(board.values()):
        return {}
    found = {}
    freed = False
    for cell, piece in board.items():
        if piece not in ("SP", "sp")[seat] or cell in done:
            continue
        for way in WAYS:
            to = beside(cell, way)
            if not to or to in board:
                continue
            after: Board = dict(board)
            moved: dict[str, str] = {}
            travel(after, moved, cell, way, far=piece in "Pp")
            if piece in "Pp":
                found[f"{cell}-{to}"] = (after, frozenset[str](), 1 - seat)
                continue
            now = frozenset({moved.get(old, old) for old in done} - {""}) | {to}
            found[f"{cell}-{to}"] = (after, now, seat)
            freed = freed or has_room(after, seat)
    if not has_room(board, seat) and not freed:
        found["pass"] = (board, frozenset(), 1 - seat)
    return found


def check(state: State) -> None:
    actual = {}
    for step in GAME.legal(state):
        after = GAME.apply(state, step)
        actual[str(step)] = (cells(after), stepped(after), after.turn)
    assert actual == expected(state), GAME.encode(state)
    assert len(set(GAME.legal(state))) == len(GAME.legal(state))


@one_of("seed", range(12))
def test_random_games(seed: int) -> None:
    luck = random.Random(seed)
    for _ in range(8):
        state = GAME.start({})
        while GAME.to_act(state) is not None:
            check(state)
            steps = GAME.legal(state)
            safe = [step for step in steps if GAME.outcome(GAME.apply(state, step)) is None]
            state = GAME.apply(state, luck.choice(safe or steps))
        check(state)


@one_of("seed", range(12))
def test_crowded_corners(seed: int) -> None:
    """Random boards in which principals are often enclosed, pieces touch the edge, and some have stepped."""
    luck = random.Random(1000 + seed)
    passes = 0
    for _ in range(150):
        width, height = luck.choice([(3, 4), (4, 4), (9, 12)])
        room = [f"{column}{row}" for column in COLUMNS[:width] for row in range(1, height + 1)]
        luck.shuffle(room)
        pieces = ["P", "p", *"S" * luck.randint(0, 8), *"s" * luck.randint(0, 8)]
        held = dict(zip(room, pieces, strict=False))
        side = luck.choice("wb")
        done = sorted(
            cell for cell, piece in held.items() if piece == {"w": "S", "b": "s"}[side] and luck.random() < 0.5
        )
        rows = "/".join("".join(held.get(f"{c}{r}", "1") for c in COLUMNS) for r in range(12, 0, -1))
        state = GAME.decode(f"{rows} {side} {','.join(done) or '-'}")
        assert cells(state) == held
        assert stepped(state) == set(done)
        check(state)
        passes += PASS in GAME.legal(state)
    assert passes > 0
