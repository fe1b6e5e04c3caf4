"""Encoders of weighted sums with any bounds, a file each."""
