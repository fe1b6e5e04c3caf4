"""Reasons of verdicts and of contradictions: irreducible sets of clues, and their sentences."""
