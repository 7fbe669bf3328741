"""What pi's records mean: one mutable `Session`, written only by `apply`.

Imports the shapes of `pitui.rpc` and nothing else of pitui; no input or output, no clock, no Textual.
"""
