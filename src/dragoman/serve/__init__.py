"""`dragoman serve`: models behind the interfaces of LibreTranslate and Apertium APy, and a page to use them by hand.

app.py says which address leads where; engine.py what the models do; everything else is named after what it is.
Needs the extra `serve` (starlette, uvicorn, python-multipart).
"""
