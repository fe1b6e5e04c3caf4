"""The independent checker of certificates.

It imports the standard library, ``pbcnf.proof`` and the base classes of errors, and nothing else of
ours: not the readers of boards, not the encoders, not the session, not the solvers. A test holds it
to that. What makes certificates uses ``pbcnf.proof`` too, to trim and to convert a solver's proofs.
"""
