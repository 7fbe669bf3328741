"""`Agent`: one pi and what we know of it. Intents go in, frames of changes come out."""
