"""The incremental session: verdicts of one position, kept up to date while cells are opened.

The idea. A covered cell is safe or a mine if all layouts agree on it: the *backbone* of the clues.
Cheap steps find most of the backbone, so a session runs its steps in order of cost, and each step
passes on only the cells that it left undecided:

1. *Rules* (``reduce.single_clue``) decide the cells that a single clue decides, on bit boards.
2. *Residuals* (``reduce.residual``): every clue that still touches an undecided cell becomes
   "exactly k of these cells". Residuals that share no cell fall into *regions*.
3. *Tables* (``count.table``): a region of up to 24 cells is decided by the counts of its layouts;
   no solver is loaded. A small board with such regions alone needs no session (``at_once``).
4. *Search* (``solver_group``, ``solvers.backbone``): the other regions go to live SAT solvers.
   Each model strikes out the candidate verdicts that the model contradicts; when no model
   contradicts any remaining candidate, one unsatisfiable answer proves all remaining candidates.
5. *Sums* (``algebraic_fallback``): for a region that used up its first budget of conflicts,
   elimination modulo 2 and 3 and a linear program are tried; then search goes on.
6. *The total* (``total``), last, and only if the total can change a verdict.

``session`` holds the facts, ``frontier`` the tables and the groups of live solvers.

Invariants.

* Facts only grow: a proved cell stays proved, because opening cells only removes layouts.
* Clauses of a solver are never removed: a residual is encoded once, a decided cell becomes a unit.
* The frontier holds each clue once: in a table, in a solver, or waiting for more time. Tables are
  made anew for every call, which costs less than updating them; solvers and models are kept.
* A model is used only after a check against the clues on the board (``board.facts.Window``).
* A verdict proved without the total also holds with the total, which only removes layouts.
* A step that a deadline or a budget stops leaves cells undecided, and never gives a wrong verdict.

The total. Regions share no clue, so the total connects regions only by the number of mines that
each region can hold. The set of possible numbers of a region is one integer's bits; sets are added
by shifting (``sumset``). The cells that no clue touches, the *interior*, are one more region, which
can hold any number of mines. So a question about the total becomes a question about one region:
does the region have a layout in which this cell is a mine, and whose number of mines the other
regions can complete to the total? No counter ever spans the board.

An example. Two clues, two regions of two cells, and between them one interior cell:

>>> from satsweeper import Position, Session
>>> from satsweeper.search.sumset import Sumset, complement
>>> for total in (None, 2, 3):
...     with Session(Position.parse("?1???1?", mines=total)) as session:
...         print(total, *session.classify().grid(), session.classify().stats.total_asked)
None ?1???1? False
2 ?1?S?1? True
3 ?1?M?1? True

Each region can hold 1 mine (the set 0b10), both together 2, which leaves 0 or 1 to the interior:

>>> both = Sumset([0b10, 0b10]).all()
>>> bin(both), bin(complement(both, 2)), bin(complement(both, 3))
('0b100', '0b1', '0b10')

``session.explain`` gives reasons; ``total`` also puts whole layouts together; ``game_proof`` writes
a proof of every verdict of a game. ``naive`` is the oracle: one solver, two questions a cell.
"""
