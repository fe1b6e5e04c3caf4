"""Engines: ways to classify a position, the table of engines, and functions that run them.

An engine is a function from a `Position` and `Options` to a `Classification` (``protocol``), and a
row of the table states its promise (``table``). ``classify`` runs one engine, in this process or in
a process that can be ended; ``compare`` runs several engines on the same boards. From the command
line to a verdict:

    argv -> Options -> classify_within -> the engine's function -> Classification

``portfolio`` and ``sat`` are the session (``satsweeper.search``). The other engines serve to check
the session and each other: complete engines decide every cell, given time; incomplete engines leave
cells undecided, but every verdict is correct. Code that several engines share is in ``parts``: a
position as equations (``position_sums``), the loop that asks "can this cell be a mine?" as rarely
as possible (``query_loop``), and exact proofs of the results of linear programs (``weak_duality``).
"""
