"""Encoders of sums and parities: a file each in the folders below, a protocol, a table."""
