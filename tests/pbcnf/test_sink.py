import numpy as np

from pbcnf import ClauseSink, Formula
from pbcnf.sink import NormalisingSink


def test_repeated_literals_and_tautologies_are_dropped():
    formula = Formula()
    sink: ClauseSink = NormalisingSink(formula)
    assert (sink.new_var(), sink.new_vars(2)) == (1, 2)
    sink.add_clause([2, 1, 2])
    sink.add_clause([1, 3, -1])
    sink.add_block(np.array([[1, 1], [2, -2], [2, 3]], dtype=np.int32))
    assert list(formula.clauses()) == [[2, 1], [1], [2, 3]]
