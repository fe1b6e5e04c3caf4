"""Constraints on cells, each as clauses for a solver and as an automaton that reads cells."""
