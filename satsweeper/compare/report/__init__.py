"""Reports of sweeps: tables, a page of HTML, and files for other programs."""
