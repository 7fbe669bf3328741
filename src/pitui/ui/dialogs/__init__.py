"""Questions of extensions: which one is asked when, and how it looks. `DialogDesk` is the way in."""
