"""Writers: one file a format, under the same names as the readers."""
