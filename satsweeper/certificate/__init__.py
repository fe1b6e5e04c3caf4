"""Certificates: verdicts and odds of a board with all that somebody needs to check them.

**The claim.** A certificate of verdicts says of certain cells that they are mines or safe in every
layout, and of all others that both occur. The first is proved, the second is shown by layouts; an
inconsistent board is refuted itself. Nothing here has to be trusted: `satsweeper.checker` starts
from the board and follows every file with code of its own.

**From the board to a contradiction.**

1. `formula.Statement`: the equations of the board. ``clues.opb`` has one for each clue, and the
   total if it is needed. The covered cells are variables 1, 2, ..., row by row. Equation i gives
   constraint 2i + 1, "at least", and 2i + 2, "at most".
2. `formula`: the clauses of the clues, each derived from its equation (``formula.cnf``,
   ``derivation.pbp``); the derivations come from `pbcnf.derivation`. Clues of one shape, "exactly k
   of n", share one derivation, made once and copied with other numbers (`patterns`). If a verdict
   needs the total, cells that single clues decide leave it as units, and only what is left is
   encoded.
3. `refutation`: a solver refutes these clauses together with "some verdict is wrong", one clause.
   Its proof is checked, trimmed and turned into LRAT here (``refutation.drat``, ``.lrat``).
4. `one_proof`: the same once more as one pseudo-Boolean proof, ``proof.opb`` and ``proof.pbp``:
   the derivation of those clauses that the refutation uses, then its lemmas.
5. `witnesses`: layouts in which every unknown cell is a mine, and is safe (``layouts.json``).

**Or by sums.** Where search has a hard time, and for large totals, `sums` looks for sums of
equations that prove verdicts: units, differences of two clues, rows modulo 2 and 3, multipliers of
a linear program; it writes them as steps (``sums.pbp``). What sums leave open goes to clauses.

**Who decides what.** `certify` takes options, chooses between clauses and sums
and writes the files; `folder` puts them on disk whole or not at all, with hashes in
``manifest.json``. `odds` certifies probabilities instead, by circuits of all layouts; `puzzle`
boards of other geometries and under rules, by `one_proof` alone.

**Invariants.**

1. Steps stay data until they are written. A constraint has one number from beginning to end, except
   in ``proof.pbp``, which leaves out steps and numbers the rest anew.
2. Every proof of a solver is checked here before it is written.
3. Layouts are checked against the board before they are written.
4. An encoding is accepted if the checker can confirm it. For clues that is every encoder with a
   derivation, as at most eight cells are tried in all ways. For the total it is those whose
   auxiliary variables count cells (`formula.TOTAL_ENCODINGS`).

**An example.** The clue 1 beside one covered cell: the cell is a mine. Constraint 1 says
``x1 >= 1``, so the clause 1 is derived from it alone, and the claim "x1 is safe" contradicts it.

>>> from satsweeper import Position, certify
>>> files = certify(Position.parse("1?\\n")).files
>>> print(files["proof.opb"].decode(), end="")
* #variable= 1 #constraint= 2 #equal= 1 intsize= 2
+1 x1 = 1 ;
-1 x1 >= 0 ;
>>> print(files["proof.pbp"].decode(), end="")
pseudo-Boolean proof version 3.0
f 3 ;
rup 1 x1 >= 1 : ~ 1 ;
rup >= 1 : ~ 4 3 ;
output NONE ;
conclusion UNSAT : 5 ;
end pseudo-Boolean proof ;
"""
