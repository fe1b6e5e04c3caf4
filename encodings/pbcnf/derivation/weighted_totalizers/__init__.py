"""Encoders that count in unary, over the sums that some of the inputs attain."""
