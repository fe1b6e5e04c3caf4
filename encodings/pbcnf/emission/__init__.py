"""From constraints to clauses: dispatch to an encoder, reification, templates, whole problems."""
