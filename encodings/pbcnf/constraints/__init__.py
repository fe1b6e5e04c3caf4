"""Constraints: bounds on sums of literals, parities, their normal forms, whole problems."""
