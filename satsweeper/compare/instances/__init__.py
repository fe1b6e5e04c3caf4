"""Instances of a sweep: boards, problems and formulas, and smaller versions of instances."""
