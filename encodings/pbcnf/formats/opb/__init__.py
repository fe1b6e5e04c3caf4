"""Parts of the OPB reader: splitting into statements, parsing one, finding the variables."""
