"""String tables: names and texts, in the formats that programs of all kinds keep them in."""
