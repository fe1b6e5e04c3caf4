"""SCIP against brute force, on boards that are hard for others, and what it says of doubles."""

import re
from dataclasses import replace

import pytest

from satsweeper import Position, classify
from satsweeper.answers.options import Options
from satsweeper.board.facts import WrongModelError
from satsweeper.engines import scip
from satsweeper.families.table import FAMILIES
from tests.engines.verdicts import certain_cells

pytest.importorskip("pyscipopt", reason="an extra: pip install satsweeper[scip]")


def ask(position, options):
    return certain_cells(scip.classify(position, options))


HARD = [name for name, family in FAMILIES.items() if family.of == "board"]


def test_verdicts_are_those_of_brute_force(known, default):
    answers = [(one, ask(one.position, default)) for one in known]
    assert [(k, a) for k, a in answers if not k.agrees(replace(a, notes=()))] == []


@pytest.mark.parametrize("name", HARD)
def test_a_family_has_the_status_and_the_certain_cells_of_its_argument(name, default):
    family = FAMILIES[name]
    size = family.small[-1]
    answer = ask(family.instance(size, 1), default)
    assert answer.decided
    assert (answer.status == "consistent") == family.satisfiable
    for cell, mine in family.certain(size, 1).items():
        assert cell in (answer.mines if mine else answer.safe)


def test_a_note_says_how_many_verdicts_rest_on_doubles(data, default):
    """Of 41 certain cells of this board elimination misses a few; of a lattice it misses none."""
    answer = ask(FAMILIES["checkerboard"].instance(12, 1), default)
    assert len(answer.safe | answer.mines) == 41
    [note] = answer.notes
    assert re.match(r"\d of 41 certain cells rest on SCIP's word", note)
    [note] = ask(FAMILIES["hall"].instance(5), default).notes
    assert note.startswith("that no layout exists is SCIP's word")
    assert ask(FAMILIES["parity_lattice"].instance(4), default).notes == ()


def test_a_wrong_layout_is_not_believed(monkeypatch, default):
    import pyscipopt

    class Liar(pyscipopt.Model):
        """SCIP with every value turned round."""

        def getVal(self, variable):  # noqa: N802
            return 1.0 - super().getVal(variable)

    monkeypatch.setattr(pyscipopt, "Model", Liar)
    with pytest.raises(WrongModelError):
        ask(Position.parse("1??\n12?\n01?"), default)


def test_a_limit_is_kept_and_what_is_certain_stays(data):
    position = Position.read(data / "positions" / "parity_extra_8.txt")
    truth = classify(position)
    answer = ask(position, Options(timeout=0.01))
    assert not answer.decided
    assert answer.notes
    assert answer.safe <= set(truth.safe)
    assert answer.mines <= set(truth.mines)


def test_it_writes_nothing(capfd, default):
    ask(Position.parse("?2?\n3F3\nF?F"), default)
    ask(Position.parse("1??\n12?\n01?"), default)
    assert capfd.readouterr() == ("", "")
