"""The independent checker of certificates: it shares no code with what makes them.

It imports the standard library and ``pbcnf.proof``, and nothing else of ours: not the readers of
boards, not the encoders, not the session, not the solvers. A test holds it to that.
"""
