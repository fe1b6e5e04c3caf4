"""Encoders of at-most-one and its mirror image, a file each."""
