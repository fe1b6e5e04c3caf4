r"""Second check of proofs that begin at statements: at a language of integers, not at OPB rows.

Three files: the statements, a CNF, and a proof. `reading` reads the first; `canonical_rows` are the
inequalities that it means, computed here and stated in no file; the steps of the proof are followed
from them by `satsweeper.checker.derivation_recheck`; `recheck` compares what is left with the CNF,
and reads off what its variables say of each integer. Nothing here is shared with the first checker,
nor with what writes the files.

Variables 1 .. n of the proof are those of the canonical rows, and the first of them the Booleans 1
.. B. The variable v of the CNF is the Boolean v, or above B the variable v + n - B of the proof.

**An example.** One integer with the values 2 and 5, which must be 5. Canonical are the order
literal x1 ("at least 5"), x2 ("the integer is at least 5": 3 x1 >= 3), and the row x2. The CNF has
one variable, which is x3 in the proof; the link says: the integer is 2 + 3 * x3.

>>> from satsweeper.checker.statements.recheck import recheck_statements
>>> statements = b'''{"schema": "satsweeper/statements/1", "booleans": 0,
...     "integers": [{"name": "n", "domain": [[2, 2], [5, 5]]}],
...     "nodes": [{"integer": 0}, {"compare": [[1, 0]], "lower": 5, "upper": null}],
...     "statements": [1]}'''
>>> proof = b'''pseudo-Boolean proof version 3.0
... f 3 ;
... red 1 x3 1 ~x1 >= 1 : x3 -> 1 ; red 1 ~x3 1 x1 >= 1 : x3 -> 0 ;
... rup 1 x3 >= 1 : ~ 1 3 4 ;
... pol 5 3 * ; pol 4 3 * ; del id 4 5 ;
... output NONE ;
... conclusion NONE ;
... end pseudo-Boolean proof ;
... '''
>>> found = recheck_statements(statements, b"p cnf 1 1\n1 0\n", proof)
>>> found.equivalent, found.links
(False, (IntegerLink(name='n', constant=2, weights={1: 3}),))
"""
