"""Encoders that know at-most-one only (and its mirror image): one file each."""
