"""Readers and writers of file formats: one file each."""
