"""The search for verdicts: one incremental session over a position, and what it is made of."""
