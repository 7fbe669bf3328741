"""What the person can do, by subject: each action of the table is a method here."""
