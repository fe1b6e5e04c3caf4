"""Rules of layouts and of clues: one file a rule, one table."""
