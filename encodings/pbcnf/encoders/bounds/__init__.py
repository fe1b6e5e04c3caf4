"""Base classes that complete encoders which the literature gives for one kind of bound."""
