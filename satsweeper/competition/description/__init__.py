"""The description of each family in an entry: what is said, and how it is written down."""
