"""SMT-LIB 2, read and written through pysmt (extra ``smt``), which is imported late."""
