"""Derivations of the encoders that know at-most-one only: every clause from one short row.

Every auxiliary variable, or its negation, is one of some literals: c is true exactly if a literal
of a group is. In the row "at most one of these literals" c may then take the place of its group,
because c <= sum of the group can be added. So what an encoder says of rows, columns, bits, halves
or the inputs read so far is such a row itself, and a clause is found by propagation on one row.

A row of n literals as the hint of n clauses would take n^2 time to check; above 32 literals a row
is halved by weakening before it is used, so that all of them take n log n.

Steps: two for every variable, one for every clause, few rows in between (one for every variable of
a chain): measured 1.0 (product) to 2.0 (sequential) a clause, and 40 to 130 bytes a clause from 50
to 10,000 inputs.

Reference: the definitions as in Gocht, Martins, Nordstroem, Oertel: Certified CNF translations for
pseudo-Boolean solving, SAT 2022.
"""
