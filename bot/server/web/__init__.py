"""The board in the browser: its files, its pieces and the few answers that only it needs."""
