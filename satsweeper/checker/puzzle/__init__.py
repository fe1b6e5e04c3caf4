"""Certificates of boards of other geometries and under rules, from their file to the verdicts.

**The claim.** As for all certificates: a certain verdict holds in every layout, and for every other
cell two layouts differ there; or the board has no layout.

**The steps, in the order to read.**

1. `board`, `grid`, `reading`: what a board is; which cells are neighbours, from coordinates or as
   a graph says; text and JSON, read here and nowhere else.
2. `predicates`: whether a layout is one of the board, each rule read plainly. This judges the
   layouts in ``layouts.json``.
3. `rows`, `clue_rows`: what all layouts have in common, as inequalities over the cells and
   auxiliary variables. ``proof.opb`` must state exactly these, in any order, and "some certain
   verdict is wrong".
4. Where a rule connects cells, ``proof.opb`` may hold cuts besides: clauses that hold in every
   connected set, as `connections.is_cut` finds by walking about the grid without the cells between.
   Variables that say of a cell that it is the first of the set are among the rows, by definition.
5. ``proof.pbp`` refutes all that, by `pbcnf.proof.cutting_planes`.

**Why it holds.** Let a layout meet every predicate. Every auxiliary variable is defined by its
rows, or implies some of them and can be chosen (an interval, a case, a direction), so the layout
extends to a model of the rows, and it meets every cut. What contradicts rows, cuts and the claim
therefore leaves no layout against the claim. The predicates and the rows are written apart; tests
compare them on all layouts of small boards, for every rule and geometry.

**What is not there.** Rules of your own: nobody else has a reading of them.
"""
