"""Readers of formats, one file each; the writer has an equal file name in ``write``."""
