"""The independent checker of certificates.

**What is trusted.** This folder, `pbcnf.proof`, the base classes of errors, and the module that
starts Python (``satsweeper.processes.interpreter``); of others the standard library alone. Readers
of boards, encoders, sessions, engines and solvers are not imported: `tests/checker/test_imports.py`
reads that from the syntax trees. Every file of a certificate is taken for hostile. Hashes tell
files apart; no claim rests on them.

**What is proved.** A claim is a set of literals over the covered cells, "x3 is true in every
layout", or that no layout exists. The constraints of the board and the negated claim must be
contradictory. A cell is unknown if two layouts of the board differ there.

**In which order to read.** Each step lists who decides it, and who decides it again.

1. `manifest`, `contents`: exactly the needed files, with their hashes, in the one form that all
   checkers of others read alike. `errors` has the one exception.
2. `board`: the equalities of clues and total, computed from the rows of ``board.txt``;
   `expected_board`: that it is the board which the caller means.
3. `formula.check_problem`: ``clues.opb`` states exactly these equalities, as `OpbStatement` does.
4. `formula.check_formula`: each clause of ``formula.cnf`` follows from them, by the derivation in
   cutting planes (`pbcnf.proof.cutting_planes`). Again: `second_opinion`, by assignments of cells.
   `formula.check_map`: the variables are the cells.
5. `claims.check_sums`: literals that sums of clues force, by cutting planes. Again: `sums_recheck`,
   from the files as text. Only what both find counts.
6. `claims.check_refutation`: clauses and negated claim have no model, by DRAT. Again: LRAT, by its
   hints.
7. `claims.check_one_proof`: 3 to 6 in one proof. `check.check_layouts`: two layouts for each
   unknown cell.
8. `claims.prove_in_parts` and `check` put the steps together; `jobs` runs parts in processes,
   `external` asks checkers of others that are on PATH.

`encoding` with `derivation_recheck` checks ``encode --proof``, `game/` the proofs of games, and
`odds/` certificates of odds: circuits that count layouts.

**Invariants.** Variables 1 .. n are the covered cells, row by row; auxiliary ones follow. Nothing
is believed that the maker says about its own work: a hint or a meaning may only make a check
succeed faster, never succeed wrongly. A second opinion shares no code with the first, decides from
the same bytes, and may refuse what the first accepts; never the other way round. The number of
processes changes the time and nothing else. The first defect ends the check with
`errors.WrongCertificateError`, one printable line that names the file.

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
