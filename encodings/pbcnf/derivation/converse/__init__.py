"""Derivations in the other direction: rows from the clauses that encode them.

A derivation of clauses shows that no solution is lost. After it all rows are deleted, and derived
again from the clauses alone: so every model of the clauses is a solution.

**From clauses to rows.** `rows` handles one constraint: units, then the bounds of the normal form
from the encoder's clauses, then the rows as they were, by multiples and literal axioms. Which
module derives the bounds for which encoder, `families` says: by a function ``derive`` of
`ClausesLeft` and a `DerivationState` in which nothing but the clauses is known, which returns the
numbers of both bounds, or of stronger inequalities. An encoder without one leaves the proof of its
problem with one direction.

**The idea for counters** (`counters`). The variables y of the clauses mean something only in one
direction: a clause makes y true where its inputs reach a number. So variables z of the proof alone
are introduced that are sums of inputs by definition, and it is derived, inputs first, that z
implies y. In the end the z of the whole sum is refuted, and its definition is the row.

**Circuits.** The same holds of networks and watchdogs (`linked_networks`, `watchdogs`,
`mixed_radix`): z is what the circuit computes exactly, and a *link*, the clause "z implies y", is
found by propagation. Modulo totalizers are compared by the value of their digits
(`modulo_totalizers`), adders by the sums that their clauses say (`adders`).

**Groups.** The rows of groups come first; then a bound on what an encoder counts of them is a bound
on their literals (`groups`, `group_parts`, `choice_diagram`, `choice_sorter`).

**Without variables** (`subsets`, `at_most_one`). Clauses that say "at most one" of few literals are
added up and divided, which gives "at most one" of more; a mark that each literal of a group implies
is at least their sum then.
"""
