"""Networks of comparators: every value is a threshold of the literals that enter its merge."""
