"""What an entry is chosen from: every family, and questions about every certain cell."""

import pytest

from satsweeper.competition.instance import TRACKS, series_of
from satsweeper.families.table import FAMILIES


@pytest.mark.parametrize("track", TRACKS)
def test_every_series_says_its_answer_and_why(track: str) -> None:
    for name, series in series_of(track).items():
        assert series.name == name
        assert series.why
        assert series.satisfiable is (series.family.satisfiable and not series.asked)


def test_every_family_is_there_and_a_question_for_each_that_has_certain_cells() -> None:
    names = set(series_of("sat"))
    assert names >= set(FAMILIES)
    asked = {name for name, each in FAMILIES.items() if each.certain(each.small[-1], 0)}
    assert names - set(FAMILIES) == {f"{name}_asked" for name in asked}
    assert len(asked) == 3


def test_what_is_counted_are_consistent_boards() -> None:
    for series in series_of("counting").values():
        assert series.satisfiable
        assert series.family.of == "board"


def test_a_question_holds_a_certain_cell_to_the_other_verdict() -> None:
    for series in series_of("sat").values():
        size = series.family.small[-1]
        question = series.question(size, 3)
        if not series.asked:
            assert question is None
            continue
        assert question is not None
        cell, mine = question
        assert series.family.certain(size, 3)[cell] is not mine
