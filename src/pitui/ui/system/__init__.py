"""What lies around the screen: the clipboard, the terminal, the folder."""
