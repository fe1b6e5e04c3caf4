"""What a sweep found, for people: tables, one page of HTML, files for other programs."""
