"""``/abak data``, as its users meet it: the panel, the export, the deletion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.bot import Room, private, told
from harness.discord import text

from bot.core.translations import language

if TYPE_CHECKING:
    from harness.discord import Seat

    from bot.sandbox.interactions.interaction import Interaction

EN = language("en")


async def delete_me(who: Seat, word: str = "DELETE") -> Interaction:
    """The whole way: the panel, the explanation, the form."""
    await who.slash("abak data")
    await who.press("b:data_delete:", private(who))
    opened = await who.press("b:data_ask:", private(who))
    return await who.submit(opened, {"word": word})


async def test_a_deletion(room: Room) -> None:
    live = await room.begin("abalone", time="1d/move")
    for _ in range(4):
        live = await room.present()
        await room.type(live, live.game.format(live.state, [live.game.legal(live.state)[0]]))
    await delete_me(room.ben)
    assert told(room.ben) == EN("data.deleted")
    over = await room.shown()
    print(text(room.board))
    print(over.players, over.outcome, over.record.entries[-1])
    assert 0
