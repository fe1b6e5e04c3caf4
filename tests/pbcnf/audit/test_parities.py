"""The contract of encoders of parities, and what breaks it."""

from dataclasses import dataclass

import pytest

from pbcnf import PARITY_ENCODERS, EncodingSize, Formula
from pbcnf.audit import Kind, ParityOf, Property, audit, audit_encoder, bounds_of, every_parity
from pbcnf.encoders.parity import CutParity, DirectParity


@pytest.mark.parametrize("name", PARITY_ENCODERS)
def test_every_encoder_of_parities_keeps_its_contract_and_has_no_more(name: str) -> None:
    contract = audit_encoder(PARITY_ENCODERS[name], upto=8)
    assert len(contract.cases) == 16
    assert contract.breaches() == []
    assert contract.stronger() == {}
    [row] = contract.rows()
    assert (row.kind, row.refused) == (Kind.PARITY, 0)
    assert {prop for prop in Property if row.holds(prop)} == set(Property) - {Property.RECORDED}


def test_encoders_of_parities_are_examined_on_parities_alone() -> None:
    assert bounds_of("direct", 3) == bounds_of("pairwise", 3)
    assert bounds_of("cut_4", 3) == bounds_of(CutParity(4), 3) == list(every_parity(3))
    assert audit("direct", ParityOf(3, True)).audit.size == EncodingSize(0, 4, 12)


@dataclass(frozen=True)
class Changed(CutParity):
    """With one clause lost, or one literal of it flipped."""

    at: int = 0
    flip: int | None = None

    def encode_parity(self, lits, odd, sink):
        every = Formula(sink.num_vars)
        super().encode_parity(lits, odd, every)
        sink.new_vars(every.num_vars - sink.num_vars)
        for place, clause in enumerate(every.clauses()):
            if place == self.at and self.flip is not None:
                clause[self.flip] *= -1
            if place != self.at or self.flip is not None:
                sink.add_clause(clause)


@pytest.mark.parametrize("flip", [None, 0, 1, 2])
@pytest.mark.parametrize("n", [3, 5])
def test_every_lost_clause_and_every_flipped_literal_is_noticed(n, flip) -> None:
    for at in range(CutParity(3).parity_size(n).clauses):
        case = audit(Changed(3, at, flip), ParityOf(n, True))
        assert {prop for prop, _ in case.breaches()} >= {Property.CORRECT}


def test_a_breach_has_the_smallest_assignment_that_shows_it() -> None:
    [(prop, why), *_] = audit(Changed(3, 0), ParityOf(2, False)).breaches()
    assert (prop, str(why)) == (Property.CORRECT, "given -1 2: a model too many")
    assert str(ParityOf(2, False)) == "an even number of 2"


@dataclass(frozen=True)
class Optimist(DirectParity):
    def parity_size(self, n):
        return EncodingSize(0, n, n)


def test_a_wrong_prediction_is_a_breach() -> None:
    case = audit(Optimist(), ParityOf(3, True))
    assert [prop for prop, _ in case.breaches()] == [Property.EXACT_SIZE]
