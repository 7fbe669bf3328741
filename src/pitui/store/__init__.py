"""What must outlive a run, in pitui's state folder."""
