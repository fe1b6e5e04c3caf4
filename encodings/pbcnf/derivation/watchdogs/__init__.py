"""Derivations of watchdogs: thresholds of inputs, and how unary numbers are counted and added."""
