"""Writers of formats, one file each; the reader has an equal file name in ``read``."""
