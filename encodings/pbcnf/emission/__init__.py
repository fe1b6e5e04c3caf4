"""Emission, from constraints to clauses: what is decided where, and which templates are cached.

Idea. An encoder knows one thing: clauses for ``lower <= sum of weight * input <= upper`` over
inputs of distinct variables, with weights of at least 1 and bounds that are not trivial. Opposite
literals, negative weights, forced inputs and trivial bounds are removed here before an encoder is
called, and repeated literals become weights; an encoder without weights may be given a literal
twice. The encoder emits straight into a sink (`pbcnf.sink`): no list of clauses is made on the
way.

The steps from a constraint to its clauses:

1. `encode` checks types and that every variable is allocated; ``2 * x + y <= 2`` becomes a
   `PseudoBoolean`. A condition (`when`, `iff`) is taken there too.
2. `dispatch.emission` brings the constraint into its normal form (`pbcnf.constraints`): opposite
   literals are removed, negative weights negate their literals, a forced literal becomes a unit.
3. Trivial bounds and single clauses are settled there, without an encoder. `Kind` is the result.
4. Otherwise the encoder named, or the one chosen by size (`pbcnf.encoders.choice`; `choose` returns
   the choice and its reason), gets the normal form. `Emission.size` is known before any clause.
5. `Emission.emit` adds the clauses to the sink.

`whole_problems` takes steps 2 to 5 for constraint after constraint within one budget of clauses,
`groups` replaces step 4 where at-most-one constraints or chains are known among the literals.

Invariants. A ValueError is raised before the first clause, or not at all. Literals of a constraint
come in the order given, clauses and auxiliary variables in the order of the encoder, and neither
depends on whether a template was used. Clauses over repeated variables are normalised
(`NormalisingSink`): no clause repeats a literal, no tautology is emitted.

>>> from pbcnf import Cardinality, Formula, PseudoBoolean, encode
>>> from pbcnf.constraints.normal_form import weighted_normal_form
>>> total = PseudoBoolean([1, 2, 3, 4], [2, -2, 2, 5], upper=3)
>>> weighted_normal_form(total)  # -2 * x2 is 2 * (1 - x2) - 2
WeightedSum(units=(), lits=(1, -2, 3, 4), weights=(2, 2, 2, 5), lower=0, upper=5)
>>> from pbcnf.emission.dispatch import emission
>>> found, f = emission(total, "adder"), Formula(num_vars=4)
>>> found.kind.value, found.inputs, found.size().clauses
('pseudo-Boolean', 4, 11)
>>> found.emit(f)
>>> len(f)
11

Templates. Clauses depend on the shape of a constraint alone: the encoder, the number of inputs or
the weights, the bounds. A `Template` (`pbcnf.encoders.circuits.template`) holds the clauses of one
shape over the inputs 1 .. n and is emitted over other literals by picking from a tuple or, where
that is faster, from an array. There is one cache, `cached` beside `Template`, with these users:

* `dispatch.template`: bounds of n inputs, for `dispatch` itself (up to 12 inputs), for
  `encode_many` (any number of rows at once), and for live solvers (`satsweeper.solvers.sink`),
  which take direct encodings from `subset_clauses` without loading encoders;
* `encode` itself, for sums of up to 64 inputs, weighted ones too, whose shape was met before: then
  steps 2 to 4 are skipped. A shape that comes once needs no template;
* circuits, for what occurs in many encodings: the adders of a totalizer, unary counts and sums of
  watchdogs and mixed radix sorters, the nodes of modulo totalizers.

>>> from pbcnf.emission.dispatch import template
>>> template("totalizer", 3, 1, 1).clauses[:4]
((-2, 4), (-3, 4), (-2, -3, 5), (2, 3, -4))
>>> f = Formula(num_vars=7)
>>> encode(Cardinality([-5, 6, 7], 1, 1), f, "totalizer")
>>> list(f)[:4]
[[-6, 8], [-7, 8], [-6, -7, 9], [6, 7, -8]]
"""
