"""Satisfiability solvers behind one small protocol."""
