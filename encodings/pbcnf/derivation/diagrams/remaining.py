"""An upper bound: a node's variable says that the remaining inputs stay within what it leaves.

Meaning: d[v] is true exactly if the inputs from its level on weigh at most the most that the node
can leave to them: of its edges, what the low child leaves, or what the high child leaves and the
weight of the input. With equal weights the variables are those of Knuth's counter.

Size: two steps a variable, and two a clause.

Reference: Abio, Nieuwenhuis, Oliveras, Rodriguez-Carbonell, Mayer-Eichberger: A new look at BDDs
for pseudo-Boolean constraints, JAIR 2012 (intervals).
"""

from __future__ import annotations

from pbcnf.derivation.derivation_state import DerivationState
from pbcnf.derivation.encoded_sum import EncodedSum
from pbcnf.derivation.thresholds import sequential_grid
from pbcnf.encoders.circuits.diagram import TRUE, Diagram
from pbcnf.encoders.circuits.layered_diagram import decision_diagram


def derive(of: EncodedSum, state: DerivationState) -> list[int]:
    """Define each node by the inputs still to be read, and derive the clauses."""
    if len({*of.weights}) == 1:
        counts = sequential_grid(of.lits, 0, of.upper, of.first)
        for var, (least, lits) in counts.items():
            state.define(var, [(1, lit) for lit in lits], least)
    else:
        _define_nodes(of, state)
    return [state.derive_clause(clause, *of.bounds) for clause in of.clauses]


def _define_nodes(of: EncodedSum, state: DerivationState) -> None:
    diagram = decision_diagram(of.weights, 0, of.upper)
    certain, node = set[int](), diagram.root
    while node >= 0:
        certain.add(node)
        node = diagram.nodes[node].low
    var = of.first
    for node, left in enumerate(_left(of, diagram)):
        if node not in certain:
            level = diagram.nodes[node].level
            terms = [(weight, -lit) for weight, lit in of.terms[level:]]
            state.define(var, terms, sum(of.weights[level:]) - left)
            var += 1


def _left(of: EncodedSum, diagram: Diagram) -> list[int]:
    """Return the most that each node can leave to the inputs from its level on."""
    found = [0] * len(diagram.nodes)
    for node in range(len(found) - 1, -1, -1):
        level, high, low = diagram.nodes[node]
        found[node] = -1 + of.weights[level]
        if high >= 0:
            found[node] = found[high] + of.weights[level]
        elif high == TRUE:
            found[node] = sum(of.weights)
        if low != TRUE:
            found[node] = min(found[node], found[low])
    return found
