"""Encoders of cardinality constraints with any bounds: one file each."""
