"""Encoders of weighted sums with any bounds: one file each."""
