"""Derivations of clauses from the sums with bounds that they encode, for VeriPB and other checkers.

The clauses of an encoder need not be trusted: a derivation shows, step by step in cutting planes,
that every assignment of the inputs which satisfies the constraint extends to a model of the
clauses. So no solution is lost. That no model is added is shown by deriving the constraint from the
clauses again (`converse`).

**Steps** (`derivation_state`). Each adds one constraint, a linear inequality over literals, and
gets the next number. `HalfDefinition` introduces an auxiliary variable, `Combined` adds up
constraints and literal axioms (then divides and saturates), `Propagated` states a clause that unit
propagation on named constraints proves. Steps are data; `proof_file.step_text` is the only place
that knows how they are written.

**The idea.** An auxiliary variable y means something, mostly "at least t of these inputs". It is
introduced by two inequalities, the halves of its definition. Each half says something for one value
of y only, and holds trivially for the other:

    while y = 1:  sum >= t          while y = 0:  sum <= t - 1

A clause is false if all its literals are false. Each auxiliary literal of the clause then activates
one half of the definition of its variable. Add these halves: the inputs they have in common cancel,
since one half says "at least" of what another one says "at most". If the slack of the sum is
negative while the clause is false, that is, if the left side stays below the degree even with all
remaining literals true, the clause follows. If the halves are not enough, a bound of the constraint
is added too.

**Invariants.**

1. `DerivationState.rows` has for every number in use the inequality that a checker will have
   there, computed here, by arithmetic of its own (`inequalities`), before a step is added; a step
   that would not give what it is meant to give raises UnderivableError instead. So a wrong meaning
   costs a clause its derivation, and never makes a wrong proof.
2. `DerivationState.if_false[lit]` is the half of the definition that says something while ``lit``
   is false.
3. Variables of the proof alone are numbered after those of all clauses.
4. The numbers that a derivation returns are in the order of the encoder's clauses.

**Who decides what.** `opb` reads which rows a problem has, derives all its constraints and deletes
whatever is not a clause; then it deletes the rows, and has `converse` derive them again.
`encoded_constraint` handles one constraint: it goes from both bounds to the normal form that an
encoder gets, units, weights divided and saturated, and from there to the clauses. `families` says
which module derives the clauses of which encoder: `thresholds` for counters whose variables are
thresholds of inputs, `at_most_one`, `adders`, `networks`, `watchdogs`, `decision_diagram`,
`modulo_totalizers`, `weighted_totalizers`. `groups` derives the clauses of sums over groups of
literals, `leaves` their groups. Certificates of boards copy the derivation of a clue from others of
its shape (`satsweeper.certificate`).

**An example.** At most one of x1, x2, x3 (constraint 1: at least two are false), by the totalizer.
Its node over x2 and x3 has the outputs x4, "at least 1", and x5, "at least 2". The clause -5 needs
the half of x5 and the bound: ``2 ~x5 + x2 + x3 >= 2`` and ``~x1 + ~x2 + ~x3 >= 2`` give
``2 ~x5 + ~x1 >= 2``, which x5 = 1 makes ``~x1 >= 2``, slack -1.

>>> from pbcnf import Cardinality
>>> state = DerivationState(Derivation(formula=1))
>>> at_most_one = Cardinality([1, 2, 3], upper=1)
>>> derive_constraint(at_most_one, "totalizer", BoundIds(upper=1), state, first_auxiliary=4)
([[-2, 4], [-3, 4], [-2, -3, 5], [-5], [-1, -4]], [6, 7, 8, 10, 12])
>>> print("".join(step_text(step) for step in state.derivation.steps), end="")
red 2 x4 1 ~x2 1 ~x3 >= 2 : x4 -> 1 ;
red 1 ~x4 1 x2 1 x3 >= 1 : x4 -> 0 ;
red 1 x5 1 ~x2 1 ~x3 >= 1 : x5 -> 1 ;
red 2 ~x5 1 x2 1 x3 >= 2 : x5 -> 0 ;
rup 1 ~x2 1 x4 >= 1 : ~ 2 ;
rup 1 ~x3 1 x4 >= 1 : ~ 2 ;
pol 4 ;
pol 5 1 + ;
rup 1 ~x5 >= 1 : ~ 9 ;
pol 3 1 + ;
rup 1 ~x1 1 ~x4 >= 1 : ~ 11 ;

Reference: Gocht, Martins, Nordstroem, Oertel: Certified CNF translations for pseudo-Boolean
solving, SAT 2022.
"""

from pbcnf.derivation.derivation_state import (
    BoundIds,
    Derivation,
    DerivationState,
    Step,
    UnderivableError,
)
from pbcnf.derivation.encoded_constraint import derive_constraint
from pbcnf.derivation.families import DERIVABLE
from pbcnf.derivation.proof_file import VERSIONS, step_text, whole_proof, write_proof
from pbcnf.derivation.thresholds import MEANINGS, Threshold

__all__ = [
    "DERIVABLE",
    "MEANINGS",
    "VERSIONS",
    "BoundIds",
    "Derivation",
    "DerivationState",
    "Step",
    "Threshold",
    "UnderivableError",
    "derive_constraint",
    "step_text",
    "whole_proof",
    "write_proof",
]
