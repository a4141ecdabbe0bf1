"""A dataclass and the row of a table whose columns have the names of its fields."""

from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import Column, Integer, MetaData, Row, String, Table, create_engine, insert, select

from bot.core.storage.rows import columns_of, from_row, to_row

COINS = Table(
    "coins", MetaData(), *(Column(name, Integer) for name in ("year", "worth", "weight")), Column("sides", String)
)


@dataclass(frozen=True, slots=True)
class Coin:
    worth: int
    year: int
    sides: tuple[str, ...] = ()
    note: str = ""


def stored(row: dict[str, Any], *columns: Column[Any]) -> Row[Any]:
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        COINS.create(connection)
        connection.execute(insert(COINS).values(row))
        found = connection.execute(select(*columns or COINS.c)).one()
    engine.dispose()
    return found


def test_a_value_is_stored_and_read_by_the_names_of_its_fields() -> None:
    coin = Coin(5, 1998, ("king", "ship"))
    row = to_row(coin, "note", sides=",".join(coin.sides), weight=9)
    assert row == {"worth": 5, "year": 1998, "sides": "king,ship", "weight": 9}
    found = stored(row)
    assert from_row(Coin, found, sides=tuple(found.sides.split(",")), note="") == coin


def test_a_select_has_the_columns_of_the_fields() -> None:
    columns = columns_of(Coin, COINS)
    assert [column.name for column in columns] == ["worth", "year", "sides"]
    found = stored({"worth": 1, "year": 2001, "sides": "", "weight": 3}, *columns)
    assert from_row(Coin, found, sides=(), note="new") == Coin(1, 2001, note="new")


def test_a_field_without_a_column_must_be_given() -> None:
    with pytest.raises(AttributeError, match="note"):
        from_row(Coin, stored({"worth": 1, "year": 2001}))
