"""The language: names, expressions with operators, integers, and the builder that collects them."""
