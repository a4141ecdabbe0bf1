"""The texts of refused forms: whose they are, and when they are forgotten."""

from bot.core.interactions.refused_forms import RefusedForms

ANA, BEN = 1, 2


def test_texts_are_kept_for_the_user_and_the_form_until_data_is_deleted() -> None:
    forms = RefusedForms()
    forms.keep(ANA, "1:players", (("name", "Cup"), ("capacity", "many")))
    assert forms.typed(ANA, "1:players") == {"name": "Cup", "capacity": "many"}
    assert forms.typed(BEN, "1:players") == forms.typed(ANA, "2:players") == {}
    forms.forget(BEN)  # the texts of all others go, too
    assert forms.typed(ANA, "1:players") == {}
