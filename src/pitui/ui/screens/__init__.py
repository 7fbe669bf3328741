"""What fills the terminal: the main screen, and what is laid over it to choose from or to read."""
