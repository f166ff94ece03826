"""Office documents: OOXML and OpenDocument. Archives of XML, in which text is translated and all else stays."""
