"""The independent checker of certificates.

**What is trusted.** This folder, `pbcnf.proof`, the base classes of errors, the module that starts
Python (``satsweeper.processes.interpreter``), and the standard library. Readers of boards,
encoders, sessions, engines and solvers are not imported, as `tests/checker/test_imports.py` checks
on the syntax trees. Every file of a certificate is assumed to be hostile. Hashes distinguish files;
no claim depends on a hash.

**What is proved.** A claim is a set of literals over the covered cells, "x3 is true in every
layout", or that no layout exists. The constraints of the board and the negated claim must be
contradictory. A cell is unknown if two layouts of the board differ there.

**The steps, in the order to read.** Each step names the code that decides, and a second check.

1. `manifest`, `contents`: exactly the needed files, with their hashes, in the canonical form that
   checkers of other projects read alike. `errors` has the only exception.
2. `board`: the equalities of clues and total, computed from the rows of ``board.txt``;
   `expected_board`: ``board.txt`` is the board that the caller expects.
3. `formula.check_problem`: ``clues.opb`` states exactly these equalities, as `OpbStatement` does.
4. `formula.check_formula`: each clause of ``formula.cnf`` follows from the equalities, by the
   derivation in cutting planes (`pbcnf.proof.cutting_planes`). Second check: `second_opinion`, by
   assignments of cells. `formula.check_map`: the variables are the cells.
5. `claims.check_sums`: literals that sums of clues force, by cutting planes. Second check:
   `sums_recheck`, from the files as text. Only literals that both find count.
6. `claims.check_refutation`: clauses and negated claim have no model, by DRAT. Second check: LRAT,
   by hints.
7. `claims.check_one_proof`: 3 to 6 in one proof. `check.check_layouts`: two layouts for each
   unknown cell.
8. `claims.prove_in_parts` and `check` put the steps together; `jobs` runs parts in processes,
   `external` runs checkers of other projects that are on PATH.

`encoding` with `derivation_recheck` checks ``encode --proof``, of statements with `statements/` as
a second reader of the file; `answer` with `answer_recheck` the proofs of ``solve --proof``; `game/`
the proofs of games, and
`odds/` certificates of odds: circuits that count layouts, `puzzle/` verdicts of boards of other
geometries and under rules.

**Invariants.** Variables 1 .. n are the covered cells, row by row; auxiliary variables follow. No
statement in a certificate is trusted: a hint or the meaning of a variable may only make a check
succeed faster, never succeed wrongly. A second check shares no code with the first, decides from
the bytes that the first read, and may refuse a step that the first accepts; a step that the first
refuses stays refused. The number of processes changes only the time. The first defect ends the
check with `errors.WrongCertificateError`, one printable line that names the file.

**An example.** On the board ``1??1?`` the cell (0, 1) is a mine, since it alone is beside the first
clue; (0, 2) and (0, 4) share the other. `board` finds x1 = 1 and x2 + x3 = 1, ``clues.opb`` states
both, and ``formula.cnf`` holds 1, -2 -3, 2 3, each by one step of the derivation. The claim is x1,
so ``refutation.cnf`` adds the clause -1, and propagation ends in a conflict. ``layouts.json`` has
1MM1S and 1MS1M, which differ in both unknown cells:

>>> from tempfile import TemporaryDirectory
>>> from satsweeper import Position, certify
>>> from satsweeper.checker.check import check
>>> with TemporaryDirectory() as folder:
...     manifest = certify(Position.parse("1??1?")).write(folder + "/proof")
...     checked = check(folder + "/proof", board=["1??1?"], external=False)
>>> checked.grid, checked.clauses, checked.lemmas, checked.layouts
(('1M?1?',), 3, 1, 2)
"""
