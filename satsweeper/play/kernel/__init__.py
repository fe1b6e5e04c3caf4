"""Counting and deduction for games, on arrays: plain Python, or machine code where numba is there.

A game of the expert board asks for the chances of hundreds of positions, so speed decides here. No
objects are made: every function gets arrays, named tuples of arrays, and integers, and fills arrays
that its caller owns (``room_for_...`` makes them once for a size of board; ``play/scratch.py``
lends them out). So each function runs as plain Python and as machine code (``compiled``), with
equal results, and no function here gets a Position, Layout or Game of the other packages.

Reading order: ``grid``, ``boxes``, ``sweep``, ``chances``; then ``lookahead``, ``second_safety``,
``learned`` (the strategies); ``tree``, ``exact`` (exact play); ``certain`` (games, and boards whose
moves a logic proves); ``repair``, ``clue_sets``, ``proof`` (boards without guesses); ``compiled``,
``machine_code`` (how a function becomes machine code).

Cells and codes (``grid``). A cell is a number, row by row. ``cells[cell]`` is what is known: a clue
0 to 8, ``UNKNOWN``, ``KNOWN_MINE`` or ``KNOWN_SAFE``. ``numbers[cell]`` is the truth: what the cell
shows once it is open, ``EXPLODED`` for a mine. Only functions that open cells read ``numbers``.

Arrays with named rows. A named tuple has few arrays, as each costs time in a call. Their rows or
columns have names, constants of the module that defines the tuple: ``boxes.ints[SIZE, box]`` is the
size of a box, ``boxes.ints[FOUND, REGIONS]`` the number of regions, ``seen[value, SAFEST]`` a
chance.

Return codes. A function that counts returns ``DONE`` (1), ``IMPOSSIBLE`` (0: no layout agrees) or
``NO_ROOM`` (-1: a region is too wide for the arrays; the caller does without a count). A function
that returns a number of something may return ``NO_ROOM`` instead. ``UNSAFE`` (-2) reports a defect:
a cell that was proved safe is a mine.

Terms. A *box* is a set of interchangeable unknown cells: all that have the same clues as
neighbours. A *region* is a set of boxes tied together by clues; two regions share no clue. The
*interior* are the unknown cells that no clue touches. The *pool* is one array in which the numbers
of layouts of all regions lie, one after the other; ``counts.ints[USED, 0]`` is its used length, and
setting that length back to an earlier value frees all numbers counted since. *Room* is the capacity
of an array. A *dead* cell shows one and the same clue in every layout in which the cell is free, so
that opening the cell excludes no other layout; all other cells are *living*. A *slot* is four bits
of a state, which hold the need of one open clue.

How a position is counted (``find_chances``):

1. ``find_boxes`` divides the unknown cells that clues touch into boxes and regions.
2. ``count_region`` counts the layouts of each region by their number of mines, and for each box
   those in which a given cell is a mine, and free. This step does not use the total.
3. ``mix`` combines all regions and the interior given the total: each layout of one region, with n
   mines, is multiplied by the number of ways in which everything else holds the other mines.
4. The chance of a cell is the share of all layouts in which the cell is a mine.

Invariants. Numbers of layouts are doubles, but sums of products of natural numbers: 0.0 means
impossible, exactly, and nothing else is 0.0; so chances of exactly 0 and 1 are proofs, and all
other chances are kept off 0 and 1 (``share``). Functions that change ``cells`` meanwhile restore
them. Plain Python and machine code give equal results, because no function divides by zero, makes
an integer of more than 63 bits, or adds in an order that varies. Comparisons of chances allow for
rounding (``SAME``), so that every machine plays the same games.

Example: one row of five cells ``? 1 ? ? ?`` with two mines. The clue touches cells 0 and 2, which
have the same clues: box 0 = {0, 2}, and one region of this box. Cells 3 and 4 are the interior.
``count_region`` finds one number of mines, 1, with 2 layouts; a given cell of the box is a mine in
1 of them and free in 1. ``mix`` takes the one mine off the total; the other is in the interior, in
one of C(2, 1) = 2 ways. So there are 2 * 2 = 4 layouts, and every unknown cell is a mine with 1/2.
If cell 3 is opened and free, cell 4 is the mine of the interior, so the new clue is 1 (the box has
its mine in cell 0) or 2 (in cell 2): ``lookahead`` finds the chance 1/4 for both values, and after
either of them one of the cells 0 and 2 certain to be free. Cell 0 is dead: its only neighbour is
open, so it always shows 0 if it is free.
"""
