"""How sums become clauses: encoders, one file each, in the folders below; a protocol, a table."""
