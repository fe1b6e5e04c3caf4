"""Counters in the audit: what is examined, and counters that do not keep what they claim."""

import pytest

from pbcnf import ENCODERS, Propagation
from pbcnf.audit import Kind, Property, audit_encoder, counted_bounds
from pbcnf.encoders.cardinality.totalizer import Totalizer
from pbcnf.encoders.pseudo_boolean.adder import Adder
from pbcnf.encoders.pseudo_boolean.generalized_totalizer import GeneralizedTotalizer

KINDS = {"count": Kind.COUNTER, "count_weighted": Kind.WEIGHTED_COUNTER}


def breaches(encoder, upto=4):
    found = audit_encoder(encoder, upto).breaches()
    return {(case.bound.kind, prop) for case, prop, _ in found}


@pytest.mark.parametrize("name", ENCODERS)
def test_every_counter_is_examined_and_keeps_what_its_encoder_claims(name):
    kinds = {case.bound.kind for case in audit_encoder(name, 6).cases}
    has = {kind for method, kind in KINDS.items() if hasattr(ENCODERS[name], method)}
    assert kinds & set(KINDS.values()) == has
    assert not {kind for kind, _ in breaches(name, 6)} & has


def test_all_bounds_of_a_counter_are_examined():
    asked = [(b.n, b.lower, b.upper) for b in counted_bounds(Totalizer(), 2)]
    assert asked == [
        (0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 1),
        (2, 0, 0), (2, 0, 1), (2, 0, 2), (2, 1, 1), (2, 1, 2), (2, 2, 2),
    ]  # fmt: skip


class Altered:
    """A totalizer whose counter is altered by a test."""

    name = "altered"
    propagation = Propagation.ARC_CONSISTENT
    parsimonious = Totalizer().parsimonious
    size = Totalizer().size
    encode = Totalizer().encode

    def count(self, lits, upto, sink, directions=3, downto=0):
        return Totalizer().count(lits, upto, sink, downto=downto)


class Deaf(Altered):
    """Its counters forget an input that is added."""

    def count(self, lits, upto, sink, directions=3, downto=0):
        count = super().count(lits, upto, sink, directions, downto)
        add = count.add_inputs

        class Forgets:
            def __getattr__(self, name):
                return getattr(count, name)

            def add_inputs(self, lits):
                add(list(lits)[1:])

        return Forgets()


def test_a_counter_that_forgets_added_inputs_is_found_out():
    assert breaches(Altered()) == set()
    assert (Kind.COUNTER, Property.CORRECT) in breaches(Deaf())


class Boaster(Adder):
    """Claims of its bounds what only the generalized totalizer keeps."""

    count_weighted = GeneralizedTotalizer().count_weighted
    weighted_propagation = Propagation.ARC_CONSISTENT


def test_a_false_claim_of_propagation_is_broken_by_the_weighted_counter():
    class Liar(Adder):
        weighted_propagation = Propagation.ARC_CONSISTENT

    assert (Kind.WEIGHTED_COUNTER, Property.ARC_CONSISTENT) in breaches(Liar())
    assert Kind.WEIGHTED_COUNTER not in {kind for kind, _ in breaches(Boaster())}
