"""Games: layouts drawn under a start convention, cells opened, certain moves until none is left."""
