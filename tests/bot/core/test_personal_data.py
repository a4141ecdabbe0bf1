"""Whatever may hold the id of a user is declared, so that export and deletion cannot forget it."""

import pytest
from sqlalchemy import BigInteger, Column, Integer, MetaData, Table

from bot.app import FEATURES
from bot.core.personal_data import PersonalData, PersonalDataCatalogue
from bot.core.storage.tables import metadata
from bot.core.translations import CODES, language

CATALOGUE = PersonalDataCatalogue(data for feature in FEATURES for data in feature.personal_data)


def test_every_column_that_may_hold_a_user_is_declared() -> None:
    """To mend it: declare the column in PERSONAL_DATA of its tables.py, and give that to the room's Feature."""
    assert list(CATALOGUE.undeclared(metadata)) == []
    assert list(CATALOGUE.unknown()) == []


def test_no_table_is_declared_twice() -> None:
    names = [data.name for data in CATALOGUE.declared]
    assert sorted(names) == sorted(set(names))


def test_what_is_not_declared_is_named() -> None:
    others = MetaData()
    table = Table("visits", others, Column("id", Integer), Column("user_id", BigInteger), Column("at", BigInteger))
    assert list(CATALOGUE.undeclared(others)) == ["visits.user_id", "visits.at"]
    catalogue = PersonalDataCatalogue([PersonalData(table, users=("user_id",), times=("when",))])
    assert list(catalogue.undeclared(others)) == ["visits.at"]
    assert list(catalogue.unknown()) == ["visits.when"]


@pytest.mark.parametrize("code", CODES)
def test_every_kind_of_data_has_its_words(code: str) -> None:
    say = language(code)
    missing = [data.name for data in CATALOGUE.of_users if not say.has(f"data.kind.{data.name}")]
    assert missing == []
