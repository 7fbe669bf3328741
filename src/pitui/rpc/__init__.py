"""The wire: bytes to typed records, requests to bytes, the child process, request and answer, recording.

Imports nothing else of pitui, and never Textual or Rich: it can be used and tested without a screen.
"""
