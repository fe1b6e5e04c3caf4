"""Code that several engines share: equations, queries, proofs by linear programs."""
