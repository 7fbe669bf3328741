"""pi's files and programs on this machine: where pi is, its options, its sessions, its keys."""
