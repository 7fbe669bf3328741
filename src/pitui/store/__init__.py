"""What must outlive a run, or is told to other pituis, in pitui's state folder."""
