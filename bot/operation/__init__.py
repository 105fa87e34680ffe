"""Running the bot: several accounts in one process, and ways to see how they fare and to tell them what to do."""
