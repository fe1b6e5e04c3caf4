"""A job of a sweep: a contender measured on an instance, with its answer checked."""
