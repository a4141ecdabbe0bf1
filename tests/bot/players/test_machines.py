"""Where, with whom and for what a server lets the machine play."""

import pytest

from bot.players.machines import check_server
from bot.players.preferences import DEFAULTS
from engine.core.errors import Refused

GAMES, HALL, THREAD = 101, 102, 103
CLUB, GUESTS = 201, 202


@pytest.mark.parametrize(
    ("chosen", "roles", "channels", "rated", "refused"),
    [
        ({}, (), (GAMES,), False, None),
        ({}, (), (GAMES,), True, "machine.casual"),
        ({"machine_rated": "yes"}, (), (GAMES,), True, None),
        ({"machine": "nowhere"}, (CLUB,), (GAMES,), False, "machine.nowhere"),
        ({"machine_roles": f"{CLUB}"}, (), (GAMES,), False, "machine.roles"),
        ({"machine_roles": f"{CLUB}"}, (GUESTS,), (GAMES,), False, "machine.roles"),
        ({"machine_roles": f"{CLUB},{GUESTS}"}, (GUESTS,), (GAMES,), False, None),
        ({"machine_channels": f"{HALL}"}, (), (GAMES,), False, "machine.channels"),
        ({"machine_channels": f"{HALL}"}, (), (THREAD, HALL), False, None),
        ({"machine_channels": f"{HALL}", "machine_roles": f"{CLUB}"}, (CLUB,), (HALL,), False, None),
        ({"machine_channels": f"{HALL}", "machine_roles": f"{CLUB}"}, (), (HALL,), False, "machine.roles"),
    ],
)
def test_a_server_says_who_plays_it_where_and_for_what(
    chosen: dict[str, str], roles: tuple[int, ...], channels: tuple[int, ...], refused: str | None, *, rated: bool
) -> None:
    server = {**DEFAULTS["server"], **chosen}
    if refused is None:
        check_server(server, roles, channels, rated=rated)
        return
    with pytest.raises(Refused) as error:
        check_server(server, roles, channels, rated=rated)
    assert error.value.key == refused


def test_a_refusal_names_every_role_and_every_channel() -> None:
    server = {**DEFAULTS["server"], "machine_roles": f"{CLUB},{GUESTS}"}
    with pytest.raises(Refused) as error:
        check_server(server, (), (GAMES,))
    assert error.value.params == {"role": f"<@&{CLUB}>, <@&{GUESTS}>"}
    with pytest.raises(Refused) as error:
        check_server({**server, "machine_channels": f"{HALL},{THREAD}"}, (), (GAMES,))
    assert error.value.params == {"channel": f"<#{HALL}>, <#{THREAD}>"}
