"""Holds the metadata of all features' tables, with the naming convention of constraints."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ColumnElement, Index, MetaData, Table, TextClause

NAMES: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
metadata: Final = MetaData(naming_convention=NAMES)
ROOMS: Final = Path(__file__).parents[2]


def partial_index(
    name: str, *columns: str | ColumnElement[Any], where: ColumnElement[Any] | TextClause, unique: bool = False
) -> Index:
    """Makes an index of the rows that meet a condition, on either database.

    PostgreSQL's option would load its whole dialect, 2 MB: ``name_conditions`` adds it where a schema is changed.
    """
    return Index(name, *columns, unique=unique, sqlite_where=where)


def name_conditions() -> None:
    """Gives the conditions of all indexes to PostgreSQL, too."""
    for table in all_tables():
        for index in table.indexes:
            if (where := index.dialect_options["sqlite"]["where"]) is not None:
                index.dialect_kwargs["postgresql_where"] = where


def all_tables() -> Sequence[Table]:
    """Returns every table of every feature, each after the tables it refers to.

    Imports the modules of all tables, since the metadata has only those that were imported.
    """
    _import_all()
    return metadata.sorted_tables


@cache
def _import_all() -> None:
    for module in sorted(ROOMS.rglob("tables.py")):
        import_module(".".join(("bot", *module.relative_to(ROOMS).with_suffix("").parts)))
