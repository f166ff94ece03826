"""The demonstration behind `make demo`: a real corpus fetched, prepared and shown, step by step."""
