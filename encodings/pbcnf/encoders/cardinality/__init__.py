"""Encoders of cardinality constraints with any bounds, a file each."""
