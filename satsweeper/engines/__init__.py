"""Engines: ways to classify a position, one table of them, and the function that asks one.

An engine is a function from a `Position` and `Options` to a `Classification` (``protocol``), and a
row of the table says what it promises (``table``). ``classify`` asks one engine, in this process or
in another that can be ended; ``compare`` asks several about the same boards. From the command line
to a verdict:

    argv -> Options -> classify_within -> the engine's function -> Classification

``portfolio`` and ``sat`` are the session (``satsweeper.search``). The others are judges of the
session and of each other: complete engines decide every cell, given time; incomplete engines decide
less, but nothing false. What engines share is in ``parts``: a position as equations
(``position_sums``), the loop that asks "can this cell be a mine?" as rarely as it can
(``query_loop``), and exact proofs of what linear programs find (``weak_duality``).
"""
