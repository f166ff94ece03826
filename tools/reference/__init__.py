"""What make_reference.py writes, a module for each page."""
