"""Pure drawing: a block, a width and a palette give lines. No app, no widget, no I/O."""
