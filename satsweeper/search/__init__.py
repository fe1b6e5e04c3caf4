"""The incremental session: verdicts of one position, kept up to date while cells are opened.

The idea. A covered cell is safe or a mine if all layouts agree on it: the *backbone* of the clues.
Nearly all of it falls to cheap steps, so a session goes from cheap to dear, and each step leaves
less to the next:

1. *Rules* (``reduce.single_clue``) decide what one clue says by itself, on bit boards.
2. *Residuals* (``reduce.residual``): every clue that still touches an undecided cell becomes
   "exactly k of these cells". Residuals that share no cell fall into *regions*.
3. *Tables* (``reduce.table``): a region of up to 15 cells is its truth table; no solver is loaded.
4. *Search* (``solver_group``, ``solvers.backbone``): the other regions go to live SAT solvers.
   Each model strikes out the candidate verdicts that it breaks; when no model breaks any that are
   left, one unsatisfiable answer proves them all.
5. *Sums* (``algebraic_fallback``): a region that used up its first budget of conflicts is tried by
   elimination modulo 2 and 3 and by a linear program; then search goes on.
6. *The total* (``total``), last, and only if it can matter.

``session`` holds the facts, ``frontier`` the tables and the groups of live solvers.

Invariants.

* Facts only grow: a cell once proved stays proved, for opening cells only removes layouts.
* Solvers only get clauses, never lose them: a residual is encoded once, a decided cell is a unit.
* The frontier holds each clue once: in a table, in a solver, or waiting for more time. Tables are
  made anew for every call, for they cost less than keeping them; solvers and models are kept.
* A model counts only after the clues on the board agree with it (``board.facts.Window``).
* What is proved without the total stays true with it, as the total only removes layouts too.
* Whatever ends early (a deadline, a budget) leaves cells undecided, never a wrong verdict.

The total apart. Regions share no clue, so the total ties them together only by how many mines each
can hold. The set of these numbers is one integer's bits; sets add up by shifting (``sumset``). The
cells that no clue touches, the *interior*, are one more region, which can hold any number. So a
question about the total is one about a single region: is there a layout of it in which this cell is
a mine, with a number of mines that the others can complete? No counter ever spans the board.

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
