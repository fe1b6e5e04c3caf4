"""The independent checker of certificates.

It imports the standard library, ``pbcnf.proof``, the base classes of errors and what starts Python
(``satsweeper.processes.interpreter``), and nothing else of ours: not the readers of boards, not the
encoders, not the session, not the solvers. A test holds it to that.

What makes certificates uses a part of ``pbcnf.proof`` too: the readers of proofs, and the replay of
DRAT, to shorten a solver's proofs and to find the hints of LRAT. The checkers of LRAT and of
cutting planes are used here alone; what the latter accepts is confirmed by `second_opinion`, which
shares no code with it.
"""
