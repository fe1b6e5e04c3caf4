"""Games: layouts drawn under a convention of the first click, played, kept in files."""
