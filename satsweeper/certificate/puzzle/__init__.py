"""Certificates of boards of other geometries and under rules: rows, clauses, cuts, layouts.

**From the board to a contradiction.**

1. `rows`: the board as pseudo-Boolean rows in one fixed form, auxiliary variables included. The
   checker writes the same rows by code of its own (`satsweeper.checker.puzzle`), so a row more,
   less or other than the board's is refused.
2. `clauses`: each row as clauses, derived from it: a row that is a clause is one; a short row gets
   its shortest implied clauses, each by propagation on the row alone; a long one an encoder's
   clauses by `pbcnf.derivation`.
3. `certify`: a solver refutes, of each certain verdict, these clauses, cuts and "it is wrong", the
   easy ones first, and all first without the total, whose clauses most proofs do not need. A
   connection is no row: a model that lacks it is cut off by a clause "not this cell, or one of
   those between, or the first cell of the set is on this side of them" (`rows.BoardRows.cuts`).
   Cuts stand in ``proof.opb`` between the rows and the claim "some verdict is wrong", which the
   proved verdicts contradict. The checker takes a cut if the separation is one. So a proof needs no
   level variables and no bound on the length of paths, and is short: some dozen cuts in place of
   ten thousand rows. A cut that names two cells in place of the first one of the set would say
   less: a set apart from the rest has many pairs of cells.
4. The lemmas of the refutation follow as ``rup`` steps with hints, as in all certificates.

Layouts show the other cells both ways; the checker holds each to a plain reading of all rules.
"""
