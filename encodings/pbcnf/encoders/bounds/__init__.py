"""How an encoder that the literature gives for one bound serves the others."""
