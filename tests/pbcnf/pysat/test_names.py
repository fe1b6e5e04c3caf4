"""The names that a program of PySAT's has after its import has changed."""

import json
import pickle

import pysat.card
import pytest

from pbcnf.errors import EncodingError
from pbcnf.pysat import card, pb
from pbcnf.pysat.formulas import CNF, CNFPlus, IDPool

STAR = {
    "card": "CNF CNFPlus CardEnc EncType IDPool ITotalizer NoSuchEncodingError UnsupportedBound",
    "pb": "CNFPlus CardEnc EncType NoSuchEncodingError PBEnc",
}
"""What ``import *`` brings in PySAT 1.9, but for modules of Python's, MainThread and pindakaas."""


@pytest.mark.parametrize("module", [*STAR])
def test_import_star_brings_what_pysats_does(module):
    names: dict[str, object] = {}
    exec(f"from pbcnf.pysat.{module} import *", names)
    assert {*names} - {"__builtins__"} == {*STAR[module].split()}


def test_classes_of_formulas_are_pysats_own():
    assert (card.CNF, card.CNFPlus, card.IDPool) == (CNF, CNFPlus, IDPool)
    assert CNF is pysat.card.CNF
    assert pb.CNFPlus is pysat.card.CNFPlus


def test_both_numberings_are_pysats():
    assert {k: v for k, v in vars(card.EncType).items() if k[0] != "_"} == {
        name: number for name, number in vars(pysat.card.EncType).items() if name[0] != "_"
    }
    names = "best bdd seqcounter sortnetwrk adder binmerge native watchdog totalizer mixedradix"
    assert [getattr(pb.EncType, name) for name in names.split()] == [*range(10)]


def test_a_number_of_one_numbering_means_its_name_in_the_other():
    """6 is a totalizer for `CardEnc`, and for `PBEnc` a bound without any clause."""
    from pbcnf.pysat import CardEnc, EncType, PBEnc

    assert EncType is card.EncType
    lits, weights = [1, 2, 3, 4], [1, 2, 3, 4]
    for name in ("seqcounter", "sortnetwrk", "totalizer", "native"):
        one, other = getattr(EncType, name), getattr(pb.EncType, name)
        assert int(one) != int(other)
        found = PBEnc.leq(lits, weights, bound=4, encoding=one)
        wanted = PBEnc.leq(lits, weights, bound=4, encoding=int(other))
        assert (found.clauses, found.atmosts) == (wanted.clauses, wanted.atmosts)
        found = CardEnc.atmost(lits, 2, encoding=other)
        wanted = CardEnc.atmost(lits, 2, encoding=int(one))
        assert (found.clauses, found.atmosts) == (wanted.clauses, wanted.atmosts)
    found = CardEnc.atmost(lits, 2, encoding=pb.EncType.adder)
    assert found.clauses == CardEnc.atmost(lits, 2, encoding="adder").clauses
    with pytest.raises(EncodingError, match="pairwise takes weights 1 only"):
        PBEnc.leq(lits, weights, bound=4, encoding=EncType.pairwise)


def test_numbers_are_numbers():
    number = card.EncType.kmtotalizer
    again = pickle.loads(pickle.dumps(number))
    assert (again, again.name, again.encoder) == (8, "kmtotalizer", "k_modulo_totalizer")
    assert (json.dumps({"encoding": number}), str(number), {8: "x"}[number]) == (
        '{"encoding": 8}',
        "8",
        "x",
    )
