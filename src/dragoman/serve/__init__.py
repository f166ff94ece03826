"""`dragoman serve`: models behind the interfaces of LibreTranslate and Apertium APy, and a page to use them by hand.

routes.py says which address leads where and what it may answer; engine.py what the models do; everything else is named
after what it is.
Needs the extra `serve` (starlette, uvicorn, python-multipart).
"""
