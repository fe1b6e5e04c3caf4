"""OPB text on its way in: statements, what stands in one, and which variables a file has."""
