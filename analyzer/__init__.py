"""The questions of Euchre Lab: from what a player types to estimates that reports can print."""
