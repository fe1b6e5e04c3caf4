"""Entries to competitions: instances of families chosen by measuring, and the files to submit."""
