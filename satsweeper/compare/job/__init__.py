"""One job of a sweep: a contender on an instance, measured and checked."""
