"""The files of the folder in which pi works: listed, and found by a few letters, in a process of its own."""
